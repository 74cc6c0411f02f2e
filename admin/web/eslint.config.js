import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import accessibility from 'eslint-plugin-vuejs-accessibility'
import globals from 'globals'
import typescript from 'typescript-eslint'

export default typescript.config(
  { ignores: ['dist/', 'target/', 'src/api/generated/', 'e2e/'] },
  ...typescript.configs.recommended,
  ...vue.configs['flat/recommended'],
  ...accessibility.configs['flat/recommended'],
  {
    files: ['src/**/*.{ts,vue}'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: typescript.parser } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // Names of tables, log lines and messages come from elsewhere: they are text, never HTML.
      'vue/no-v-html': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/component-api-style': ['error', ['script-setup']],
      // Not needed with TypeScript: a prop that may be undefined says so.
      'vue/require-default-prop': 'off',
      // A label that contains its control is enough for assistive technology.
      'vuejs-accessibility/label-has-for': [
        'error',
        { controlComponents: ['ElInput', 'ElInputNumber'], required: { some: ['nesting', 'id'] } },
      ],
      'vuejs-accessibility/form-control-has-label': 'off',
    },
  },
  { files: ['mock/**/*.mjs', '*.{js,ts}'], languageOptions: { globals: globals.node } },
  prettier,
)
