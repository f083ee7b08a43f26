import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ofContract = (file: string) =>
  /^(contract\/|features\/([^/]+\/)?(index\.)?contract\.ts)/.test(relative(root, file))
const jitless = JSON.stringify(fileURLToPath(new URL('../ui/zod-jitless.ts', import.meta.url)))
const WHOLE = '?whole'

/**
 * Splits contract files, since the browser needs only an endpoint's method and path; the schemas would pull zod and the
 * whole contract into every first screen, beyond its budget. A contract file reaches the browser in two parts:
 * - its endpoints, as plain `{ name, method, path, allow }`, a portal among the callers (of files also their name and
 * columns), and its words, lists of
 * them and numbers, obtained by running the file here;
 * - its other exports (schemas, functions), from the file itself, and only into the chunks that use them.
 * Types are untouched, so `callApi(createSale, …)` stays checked by the contract. A form that checks with a schema imports
 * the schema (`NewSale`), not `createSale.body`.
 */
export function contractCalls(): Plugin {
  return {
    name: 'contract-calls',
    enforce: 'pre',
    resolveId(source, importer) {
      const file = contractFile(source, importer)
      return file && { id: file }
    },
    async load(id) {
      if (!ofContract(id)) return
      const isWhole = id.endsWith(WHOLE)
      const code = await readFile(isWhole ? id.slice(0, -WHOLE.length) : id, 'utf8')
      const makesSchemas = /from '(zod|#features\/index\.contract\.ts)'/.test(code)
      if (isWhole) {
        const prepared = makesSchemas ? `import ${jitless};\n${code}` : code
        return { code: prepared, moduleType: 'ts', moduleSideEffects: false }
      }
      this.addWatchFile(id)
      const exported: Record<string, unknown> = await import(`${pathToFileURL(id).href}?at=${Date.now()}`)
      // A file without schemas and calls, such as money.ts, needs no light part.
      if (!makesSchemas && !Object.values(exported).some((value) => isSchema(value) || isEndpoint(value)))
        return { code, moduleType: 'ts', moduleSideEffects: false }
      return { code: lightModule(exported, `${id}${WHOLE}`), moduleType: 'js' }
    },
  }
}

function contractFile(source: string, importer?: string) {
  if (!/^[#./]/.test(source)) return undefined
  const file = source.startsWith('#')
    ? root + source.slice(1)
    : source.startsWith('.') && importer
      ? resolve(dirname(importer), source)
      : source
  return ofContract(file) ? file : undefined
}

/** Returns the source of the light part of a contract file whose exports are `exported`. */
export function lightModule(exported: Record<string, unknown>, whole: string) {
  const calls: string[] = []
  const others: string[] = []
  for (const [name, value] of Object.entries(exported)) {
    if (isEndpoint(value)) {
      const { name: operation, method, path, inPortal, file, columnNames, usualNames } = value
      const allow = inPortal ? [...new Set([...value.allow, 'portal'])] : value.allow
      calls.push(
        `export const ${name} = ${JSON.stringify({ name: operation, method, path, allow, file, columnNames, usualNames })}`,
      )
    } else if (typeof value === 'string' || typeof value === 'number' || isWords(value))
      calls.push(`export const ${name} = ${JSON.stringify(value)}`)
    else others.push(name)
  }
  if (others.length) calls.push(`export { ${others.join(', ')} } from ${JSON.stringify(whole)}`)
  return calls.join('\n')
}

type Call = {
  name: string
  method: string
  path: string
  allow: string[]
  inPortal?: true
  file?: string
  columnNames?: string[]
  usualNames?: string[]
}

function isEndpoint(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'allow' in value
}

/** A schema may also be made of another file's, without zod itself. */
const isSchema = (value: unknown) => typeof value === 'object' && value !== null && '_zod' in value

/** A list of words, or words or lists of them by name. */
const isWords = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((word) => typeof word === 'string')
    : Object.getPrototypeOf(value ?? 0) === Object.prototype &&
      Object.values(value as object).every((one) => typeof one === 'string' || (Array.isArray(one) && isWords(one)))
