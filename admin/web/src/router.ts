import { nextTick } from 'vue'
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { onUnauthorized } from './api/client'
import type { Role } from './api/types'
import { i18n } from './i18n'
import { useSession } from './stores/session'

declare module 'vue-router' {
  interface RouteMeta {
    /** The key of the page's title. */
    title: string
    /** The smallest role that may open it; not given: every user who is logged in. */
    role?: Role
    /** Without the navigation, for users who are not (completely) logged in. */
    plain?: boolean
    /** Which entry of the navigation it belongs to. */
    section?: string
  }
}

const routes: RouteRecordRaw[] = [
  {
    path: '/login',
    component: () => import('./pages/login/LoginPage.vue'),
    meta: { title: 'login.title', plain: true },
  },
  {
    path: '/password',
    component: () => import('./pages/login/InitialPasswordPage.vue'),
    meta: { title: 'password.initialTitle', plain: true },
  },
  {
    path: '/',
    component: () => import('./pages/overview/OverviewPage.vue'),
    meta: { title: 'nav.overview', section: 'overview' },
  },
  {
    path: '/instances',
    component: () => import('./pages/instances/InstancesPage.vue'),
    meta: { title: 'nav.instances', section: 'instances' },
  },
  {
    // Not below /instances/, where any name may be one of an instance.
    path: '/new-instance',
    component: () => import('./pages/instances/NewInstancePage.vue'),
    meta: { title: 'newInstance.title', section: 'instances', role: 'operator' },
  },
  {
    path: '/instances/:name/:tab?',
    component: () => import('./pages/instances/InstancePage.vue'),
    props: true,
    meta: { title: 'nav.instances', section: 'instances' },
  },
  {
    path: '/servers',
    component: () => import('./pages/servers/ServersPage.vue'),
    meta: { title: 'nav.servers', section: 'servers' },
  },
  {
    path: '/servers/:id(\\d+)/:tab?',
    component: () => import('./pages/servers/ServerPage.vue'),
    props: (to) => ({ id: Number(to.params['id']), tab: to.params['tab'] || undefined }),
    meta: { title: 'nav.servers', section: 'servers' },
  },
  {
    path: '/clusters',
    component: () => import('./pages/clusters/ClustersPage.vue'),
    meta: { title: 'nav.clusters', section: 'clusters' },
  },
  {
    path: '/clusters/:id(\\d+)',
    component: () => import('./pages/clusters/ClusterPage.vue'),
    props: (to) => ({ id: Number(to.params['id']) }),
    meta: { title: 'nav.clusters', section: 'clusters' },
  },
  {
    path: '/templates',
    component: () => import('./pages/templates/TemplatesPage.vue'),
    meta: { title: 'nav.templates', section: 'templates', role: 'operator' },
  },
  {
    path: '/users',
    component: () => import('./pages/users/UsersPage.vue'),
    meta: { title: 'nav.users', section: 'users', role: 'administrator' },
  },
  {
    path: '/audit',
    component: () => import('./pages/audit/AuditPage.vue'),
    meta: { title: 'nav.audit', section: 'audit', role: 'administrator' },
  },
  {
    path: '/account',
    component: () => import('./pages/account/AccountPage.vue'),
    meta: { title: 'account.title' },
  },
  {
    path: '/:anything(.*)*',
    component: () => import('./pages/NotFoundPage.vue'),
    meta: { title: 'notFound.title' },
  },
]

/** Returns the pages, with the access rules: login first, then an own password, then by role. */
export function createPages() {
  const router = createRouter({
    history: createWebHistory(),
    routes,
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
  })
  const session = useSession()

  router.beforeEach(async (to) => {
    if (!session.asked) {
      try {
        await session.load()
      } catch {
        // The server does not answer: the page opens, and says so itself.
        return to.meta.plain ? true : { path: '/login', query: { from: to.fullPath } }
      }
    }
    if (to.path === '/login') {
      return session.session && !session.session.mustChangePassword ? safeTarget(to.query['from']) : true
    }
    if (session.session === undefined) {
      return { path: '/login', query: to.fullPath === '/' ? {} : { from: to.fullPath } }
    }
    if (session.session.mustChangePassword !== (to.path === '/password')) {
      return session.session.mustChangePassword ? { path: '/password', query: to.query } : safeTarget(to.query['from'])
    }
    return true
  })

  router.afterEach((to, from) => {
    showTitle(to.meta.title)
    if (from.matched.length > 0 && to.path !== from.path && to.matched[0] !== from.matched[0]) {
      void nextTick(() => document.getElementById('main')?.focus({ preventScroll: true }))
    }
  })

  onUnauthorized(() => {
    const current = router.currentRoute.value
    session.ended()
    if (current.matched.length > 0 && current.path !== '/login') {
      void router.push({ path: '/login', query: { from: current.fullPath, ended: '1' } })
    }
  })
  return router
}

/** Shows the title of a page, which may be followed by a name. */
export function showTitle(key: string, name?: string): void {
  document.title = [name, i18n.global.t(key), 'Sluice'].filter(Boolean).join(' · ')
}

/** Where to go after the login: only to a page of this server. */
export function safeTarget(from: unknown): string {
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/login') ? from : '/'
}
