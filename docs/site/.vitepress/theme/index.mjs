import { h } from 'vue'
import DefaultTheme from 'vitepress/theme'
import Diagram from './Diagram.vue'
import Overview from './Overview.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(Overview) }),
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
  },
}
