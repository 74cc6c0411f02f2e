// Checks the built site: every link, image and script within it leads to a file, and to an anchor that the page has. VitePress itself checks
// only the links of pages, not those of menus, nor anchors.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = join(dirname(fileURLToPath(import.meta.url)), 'dist')
const BASE = process.env.SITE_BASE ?? '/'
const anchors = new Map()

function pageText(path) {
  return readFileSync(join(DIST, path), 'utf8')
}

function anchorsOf(path) {
  if (!anchors.has(path)) {
    anchors.set(path, new Set([...pageText(path).matchAll(/ id="([^"]+)"/g)].map((match) => match[1])))
  }
  return anchors.get(path)
}

function problemOf(page, link) {
  const [path, anchor] = link.split('#')
  let target = path === '' ? page : path
  if (target.startsWith('/')) {
    if (!target.startsWith(BASE)) {
      return 'outside of the base'
    }
    target = target.slice(BASE.length)
  } else if (path !== '') {
    target = posix.join(posix.dirname(page), target)
  }
  let file = posix.normalize(decodeURI(target === '' ? '.' : target))
  if (existsSync(join(DIST, file)) && statSync(join(DIST, file)).isDirectory()) {
    file = posix.join(file, 'index.html')
  }
  if (!existsSync(join(DIST, file))) {
    return 'no such file'
  }
  const isFound = anchor === undefined || anchor === '' || anchorsOf(file).has(decodeURIComponent(anchor))
  return isFound ? undefined : 'no such anchor'
}

const pages = readdirSync(DIST, { recursive: true }).filter((path) => path.endsWith('.html') && path !== '404.html')
const broken = new Set()
let links = 0
for (const page of pages.map((path) => path.replaceAll('\\', '/'))) {
  for (const [, link] of pageText(page).matchAll(/ (?:href|src)="([^"]+)"/g)) {
    if (!/^[a-z]+:|^\/\//.test(link)) {
      links++
      const problem = problemOf(page, link.replaceAll('&amp;', '&'))
      if (problem !== undefined) {
        broken.add(`${page}: ${link}: ${problem}`)
      }
    }
  }
}
if (broken.size > 0 || pages.length < 50) {
  console.error(`${[...broken].join('\n')}\n${broken.size} broken links in ${pages.length} pages`)
  process.exit(1)
}
console.log(`${pages.length} pages, ${links} links: all lead somewhere`)
