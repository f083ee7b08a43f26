import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

// One process answers all callers, so a pattern that takes quadratic time stops them all. Each pattern of the server
// and the contract is tried on texts made of its own characters, repeated: time may only grow with the length.

const root = fileURLToPath(new URL('../', import.meta.url))

/** Patterns that are not linear, with the length of their longest text, and why. */
const SHORT: Record<string, [characters: number, why: string]> = {
  '^\\S+@\\S+$': [254, 'what the script found in a field is no longer'],
}

type Pattern = { file: string; source: string; flags: string }

function patternsIn(file: string): Pattern[] {
  const found: Pattern[] = []
  const walk = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex) found.push({ file, source: regex.pattern, flags: regex.flags })
    Object.values(node).forEach(walk)
  }
  walk(parseAst(readFileSync(`${root}${file}`, 'utf8'), { lang: 'ts' }))
  return found
}

const patterns = globSync(['server/**/*.ts', 'contract/**/*.ts', 'features/**/*.ts', 'embed/**/*.ts'], { cwd: root })
  .filter((file) => !/\.(test|spec)\.ts$/.test(file))
  .flatMap(patternsIn)
  .filter((one, at, all) => all.findIndex(({ source, flags }) => source === one.source && flags === one.flags) === at)

/** Returns the characters and runs that a pattern may match, with one character for each kind of its classes. */
function signsOf({ source }: Pattern) {
  const plain = source
    .replace(/\\[uU]\{?([0-9a-f]{2,6})\}?/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\p\{[^}]*\}|\\[dDwWsSbB]|\(\?<?[:=!]|\{\d*,?\d*\}/g, '\0')
    .replace(/\\([^a-z0-9])/gi, '$1\x01')
  const runs = plain.split(/[\0^$|()[\]*+?]/).map((run) => run.replaceAll('\x01', ''))
  const kinds = [
    [/\\d|0-9|\\w|\\S|\\p\{N/, '1'],
    [/\\s|\\S/, ' '],
    [/\\s|\\n|\\S/, '\n'],
    [/\\w|a-z|\\S|\\p\{L|\[\^|\./i, 'a'],
    [/\\p\{M/, '\u0301'],
  ] as const
  const singles = [...new Set([...runs.join(''), ...kinds.flatMap(([of, sign]) => (of.test(source) ? [sign] : []))])]
  return { runs: [...new Set(runs)].filter((run) => run.length > 1).slice(0, 6), singles: singles.slice(0, 24) }
}

/** Texts with a valid beginning and end, and many repetitions between them. */
function* attacksOn(pattern: Pattern, length: number) {
  const { runs, singles } = signsOf(pattern)
  const parts = [...runs, ...singles]
  const pairs = singles.slice(0, 8).flatMap((one) => singles.slice(0, 8).map((other) => one + other))
  for (const unit of [...parts, ...pairs])
    for (const before of ['', 'x', ...parts.slice(0, 4)])
      for (const after of ['\0', ' x\0', ...runs.slice(0, 1)])
        yield `${before}${unit.repeat(Math.ceil(length / unit.length))}${after}`
}

/** Milliseconds of processor time of this thread. */
function workOf({ source, flags }: Pattern, text: string) {
  const pattern = new RegExp(source, flags)
  const before = process.threadCpuUsage()
  text.replace(pattern, '')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const LENGTH = 16_000
/**
 * A linear pattern takes well under a millisecond for that many characters; a quadratic one needs a hundred and more.
 */
const MOST_MS = 25

const costlyText = (pattern: Pattern, length: number) => {
  for (const text of attacksOn(pattern, length)) if ([1, 2, 3].every(() => workOf(pattern, text) > MOST_MS)) return text
  return undefined
}

test('every pattern takes time linear in the length of the text', () => {
  assert.ok(patterns.length > 300, `${patterns.length} patterns`)
  const costly = patterns.flatMap((pattern) => {
    const [length = LENGTH] = SHORT[pattern.source] ?? []
    const text = costlyText(pattern, length)
    return text === undefined ? [] : [`${pattern.file}: /${pattern.source}/ on ${JSON.stringify(text.slice(0, 30))}…`]
  })
  assert.deepEqual(costly, [])
})

test('the exceptions are existing patterns', () => {
  const gone = Object.keys(SHORT).filter((source) => !patterns.some((one) => one.source === source))
  assert.deepEqual(gone, [])
})
