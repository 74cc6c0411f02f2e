import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { installElement } from './components/element'
import './styles/tokens.css'
import './styles/element.css'
import './styles/base.css'
import { repairLanguage } from './format/browserLanguage'
import { i18n } from './i18n'
import { createPages } from './router'
import { usePreferences } from './stores/preferences'

repairLanguage(navigator)
const app = createApp(App)
app.use(createPinia())
app.use(i18n)
installElement(app)
usePreferences().apply()
app.use(createPages())
app.mount('#app')
