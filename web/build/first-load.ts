import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const starts = { main: file('web/main.ts'), app: file('web/app.tsx'), entry: file('web/entry.tsx') }

/**
 * Which chunk a module goes to. What both applications need is one chunk, what each imports before it runs another, and
 * what the pages have in common a third, so that neither the first load nor a page takes a request for every small part
 * that somebody else uses too. Undefined: the bundler decides.
 */
export function chunkOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  // who imports one part of it imports the index of all, so that the imports do not tell what is used where
  if (/\/hooks\/esm\/use-(network|window-event)\//.test(id)) return 'app'
  if (/\/@mantine\/.*js$/.test(id))
    return /hooks\/|core\/esm\/(core|components\/(Button|Transition|Loader|UnstyledButton|Input|InputBase|TextInput|CloseButton))\//.test(
      id,
    )
      ? 'main'
      : undefined
  // likewise a call's address leads to its whole contract
  if (/\/node_modules\/zod\/|\/contract\/.*\?whole|zod-jitless/.test(id)) return 'schemas'
  if (/vite\/preload-helper|rolldown\/runtime/.test(id)) return 'main'
  const imports = (start: string) => reachable(start, context)
  const [isMain, isApp, isEntry] = [starts.main, starts.app, starts.entry].map((start) => imports(start).has(id))
  // one style sheet for all of it
  if (isMain || (isApp && isEntry) || ((isApp || isEntry) && id.endsWith('.css'))) return 'main'
  if (isApp) return 'app'
  if (isEntry) return 'entry'
  return /\/web\/ui\//.test(id) && !/chart/i.test(id) ? 'pieces' : undefined
}

const known = new WeakMap<object, Map<string, Set<string>>>()

/** The modules a start imports and what those import, without what is loaded later. */
function reachable(start: string, context: Rolldown.ChunkingContext): Set<string> {
  const sets = known.get(context) ?? new Map<string, Set<string>>()
  known.set(context, sets)
  let found = sets.get(start)
  if (!found) {
    found = new Set()
    const queue = [start]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (found.has(id)) continue
      found.add(id)
      queue.push(...(context.getModuleInfo(id)?.importedIds ?? []))
    }
    sets.set(start, found)
  }
  return found
}
