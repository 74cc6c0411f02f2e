import { defineConfig } from 'vitepress'
import { watchPages } from '../stage.mjs'
import { chineseMenu, englishMenu } from './navigation.mjs'

/** Names of headings as GitHub makes them, so that links with anchors work in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Replaces blocks of mermaid by a component that draws them in the browser. */
function diagrams(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    return token.info.trim() === 'mermaid'
      ? `<Diagram code="${encodeURIComponent(token.content)}" />\n`
      : fence(tokens, index, options, env, self)
  }
}

/** The language of an indented block, which cannot name it: keys, commands or neither. */
function languageOf(code) {
  if (/^[\w.]+ *= /.test(code)) {
    return 'properties'
  }
  return /^(\.\/|bin\/|bench\/|packaging\/|[A-Z_]+=\S+ |(env|curl|gpg|java|git|kubectl|helm|docker|python3?|sha256sum|mkdir) )/.test(code) ? 'bash' : 'txt'
}

/** Shows indented blocks as fenced ones, with a frame and a button to copy. */
function indentedBlocks(md) {
  md.renderer.rules.code_block = (tokens, index, options, env, self) => {
    const token = tokens[index]
    token.info = languageOf(token.content)
    return md.renderer.rules.fence(tokens, index, options, env, self)
  }
}

const chineseSearch = {
  translations: {
    button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
    modal: {
      displayDetails: '显示详情',
      resetButtonTitle: '清除',
      backButtonTitle: '关闭',
      noResultsText: '没有结果：',
      footer: { selectText: '打开', navigateText: '切换', closeText: '关闭' },
    },
  },
}

export default defineConfig({
  title: 'Sluice',
  description: 'Carries the row changes of MySQL and MariaDB to message queues, as a drop-in for a canal server.',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  head: [['link', { rel: 'icon', href: `${process.env.SITE_BASE ?? '/'}logo.svg`, type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify },
    toc: { slugify },
    config: (md) => {
      diagrams(md)
      indentedBlocks(md)
    },
    languages: ['bash', 'java', 'json', 'yaml', 'sql', 'ini', 'xml', 'python', 'dockerfile', 'properties'],
  },
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [{ name: 'watch-pages', configureServer: watchPages }],
  },
  themeConfig: {
    logo: '/logo.svg',
    i18nRouting: false, // not all pages have a Chinese twin
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        locales: { 'zh-CN': chineseSearch },
        detailedView: true,
        miniSearch: {
          options: {
            // Words; of Chinese, which has no blanks, each character.
            tokenize: (text) => text.match(/\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+/gu) ?? [],
          },
          searchOptions: { combineWith: 'AND', prefix: true, fuzzy: 0.1 },
        },
      },
    },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        nav: [
          { text: 'Quick start', link: '/quick-start' },
          { text: 'Concepts', link: '/concepts' },
          { text: 'Configuration', link: '/configuration' },
          { text: 'Runbook', link: '/runbook' },
        ],
        sidebar: englishMenu,
        outline: { level: [2, 3], label: 'On this page' },
        footer: { message: 'Apache License 2.0' },
      },
    },
    'zh-CN': {
      label: '简体中文',
      lang: 'zh-CN',
      link: '/zh-CN/',
      description: '把 MySQL 和 MariaDB 的行变更送到消息队列，可以直接替换 canal 服务端。',
      themeConfig: {
        nav: [
          { text: '快速开始', link: '/zh-CN/quick-start' },
          { text: '基本概念', link: '/zh-CN/concepts' },
          { text: '配置', link: '/zh-CN/configuration' },
          { text: '运维', link: '/zh-CN/operations' },
          { text: '故障处理手册', link: '/zh-CN/runbook' },
        ],
        sidebar: chineseMenu,
        outline: { level: [2, 3], label: '本页目录' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '外观',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
        footer: { message: 'Apache License 2.0' },
      },
    },
  },
})
