import { fileURLToPath, URL } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

/** Where `npm run dev` finds the API: the mock, or an admin server. */
const api = process.env['ADMIN_URL'] ?? 'http://127.0.0.1:18089'

export default defineConfig({
  plugins: [vue()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: {
    // Only the composition API of vue-i18n is used, and no devtools go into the bundle.
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
    __VUE_OPTIONS_API__: true,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false,
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': api } },
  build: {
    // The Content-Security-Policy allows scripts and images of this server only, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  // A machine with much to do mounts pages slowly.
  test: { include: ['src/**/*.spec.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 60_000 },
})
