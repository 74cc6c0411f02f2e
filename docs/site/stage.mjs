// Copies the pages of the repository to .pages/, from which VitePress builds the site. The pages stay plain Markdown in docs/ and beside
// the modules; what differs in the site is where a page is, so links between pages are rewritten here. A link that leads to no file fails.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const SITE = dirname(fileURLToPath(import.meta.url))
const ROOT = resolve(SITE, '../..')
const OUT = join(SITE, '.pages')

/** Pages outside of docs/, and where they are in the site. */
const OTHER_PAGES = {
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'bench/README.md': 'bench.md',
  'client/README.md': 'client.md',
  'mysql/README.md': 'mysql.md',
  'packaging/helm/sluice/README.md': 'helm.md',
}

/** The front page of each language replaces the README. */
const FRONT_PAGES = { 'README.md': 'index.md', 'README.zh-CN.md': 'zh-CN/index.md' }

const LINK = /(\[(?:[^[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)/g
const FILE_NAME = /^\[[\w-]+\.md\]$/
const FENCE = /^ {0,3}(```|~~~)/

/** Returns all pages, by their path in the repository, with their path in the site. */
function findPages() {
  const pages = new Map(Object.entries(OTHER_PAGES))
  const walk = (folder) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory() && path !== 'docs/site') {
        walk(path)
      } else if (entry.name.endsWith('.md')) {
        pages.set(path, path.slice('docs/'.length))
      }
    }
  }
  walk('docs')
  return pages
}

/** Returns the link from one page of the site for a link that a page of the repository has. */
function siteLink(source, page, link, pages, broken) {
  if (/^([a-z]+:|#)/.test(link)) {
    return link
  }
  const [path, anchor] = link.split('#')
  const target = posix.normalize(posix.join(posix.dirname(source), decodeURI(path)))
  const hash = anchor === undefined ? '' : `#${anchor}`
  const there = pages.get(target) ?? FRONT_PAGES[target]
  if (there !== undefined) {
    return (posix.relative(posix.dirname(page), there) || posix.basename(there)) + hash
  }
  const file = join(ROOT, target)
  if (target.startsWith('..') || !existsSync(file) || statSync(file).isDirectory()) {
    broken.push(`${source}: ${link}`)
    return link
  }
  // Any other file is shown as text, so it is found without a repository. VitePress serves what is in public/ as it is.
  const text = `files/${target}${/\.(svg|png|json|ya?ml)$/.test(target) ? '' : '.txt'}`
  if (/\.(svg|png)$/.test(target)) {
    copy(file, join(OUT, target.replace(/^docs\//, '')))
    return posix.relative(posix.dirname(page), target.replace(/^docs\//, ''))
  }
  copy(file, join(OUT, 'public', text))
  return `/${text}`
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** Writes a file unless it has that text, so that a preview reloads only what has changed. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    writeFileSync(file, text)
  }
}

/** Returns the text of a link: the name of a file becomes the title of its page. */
function linkText(source, text, link, pages) {
  const target = posix.normalize(posix.join(posix.dirname(source), link.split('#')[0]))
  const title = FILE_NAME.test(text) && pages.has(target) && /^# (.*)$/m.exec(readFileSync(join(ROOT, target), 'utf8'))
  return title ? `[${title[1]}]` : text
}

/** Rewrites the links of a page, outside of code. */
function rewrite(text, link) {
  let fenced = false
  return text
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) {
        fenced = !fenced
      }
      const isCode = fenced || /^( {4}|\t)/.test(line)
      return isCode ? line : line.replace(LINK, (_, label, target) => link(label, target))
    })
    .join('\n')
}

/** Copies all pages, and returns how many. */
function stage() {
  const pages = findPages()
  const broken = []
  for (const [source, page] of pages) {
    const text = readFileSync(join(ROOT, source), 'utf8')
    const link = (label, target) =>
      `${linkText(source, label, target, pages)}(${siteLink(source, page, target, pages, broken)})`
    write(join(OUT, page), rewrite(text, link))
  }
  for (const page of Object.values(FRONT_PAGES)) {
    write(join(OUT, page), readFileSync(join(SITE, 'pages', page), 'utf8'))
  }
  cpSync(join(SITE, 'public'), join(OUT, 'public'), { recursive: true })
  copy(join(SITE, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'), join(OUT, 'public/mermaid.js'))
  if (broken.length > 0) {
    throw new Error(`Links to files that are not there:\n${broken.join('\n')}`)
  }
  return pages.size
}

/** Copies what changes in docs/ from now on, for a preview. */
export function watchPages() {
  let timer
  watch(join(ROOT, 'docs'), { recursive: true }, (_, file) => {
    const isOurs = file?.startsWith(`site${sep}`) && !file.startsWith(`site${sep}pages${sep}`)
    if (file?.endsWith('.md') && !isOurs) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        try {
          stage()
        } catch (failure) {
          console.error(failure.message)
        }
      }, 100)
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(OUT, { recursive: true, force: true })
  console.log(`${stage()} pages`)
}
