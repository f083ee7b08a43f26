import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '#contract/index.ts'
import { openApiDocument } from '../server/platform/http/openapi.ts'

// Names are the standard words of the field. What is left of the former ones is in names-baseline.txt: a new one fails,
// and so does a line whose name is gone. `UPDATE_NAMES=1 node --test test/names.test.ts` removes such lines.

const root = fileURLToPath(new URL('../', import.meta.url))
const baselineFile = `${root}test/names-baseline.txt`
const folders = [
  'bench',
  'client/generate',
  'client/src',
  'contract',
  'demo',
  'embed',
  'features',
  'server',
  'test',
  'web',
]
const paths = globSync(
  folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
  { cwd: root },
).filter((path) => path !== 'test/names.test.ts' && path !== 'client/src/api.ts')

const declared = '^(?:export )?(?:async )?(?:function\\*? |const (?=\\w+ = (?:async )?(?:\\(|<|\\w+ =>)))'
const exported = '^export (?:async )?(?:function\\*? |const )'
const vague =
  'tell|told|say|said|hear|heard|feel|felt|look|looked|go|come|bring|let|keep|kept|forget|ask|give|given|hand|leave|stay|take'

/** Names that are refused, each with what it should be instead; the first group is the name. */
const RULES: Record<string, { of: RegExp; source?: boolean }> = {
  // emit, save, delete, request, read, acquire, mark, resolve
  'vague verb': { of: new RegExp(`${declared}((?:${vague})s?(?![a-z])\\w*)`, 'gm') },
  // computed: toX, buildX, formatX; read: findX (may be none), getX (refuses), listX; SQL: xSql
  'of or by': {
    of: new RegExp(
      `${exported}(?!(?:anyOf|oneOf|numberOf\\w*|startOfDay|netOfTax)\\b)(\\w*Of|of[A-Z]\\w*|by[A-Z]\\w*)\\b`,
      'gm',
    ),
  },
  'one word': {
    of: /^export (?:async )?(?:function\*? |const (?=\w+ = (?:async )?(?:\(|<|\w+ =>)))(?!(?:route|endpoint|feature|table|sql|transaction|queue|refusal|count|anyOf|oneOf|describe|suite|test)\b)([a-z]+)\b/gm,
  },
  'participle as a type': {
    of: /^(?:export )?(?:type|interface|class) (Filed|Found|Held|Wrong|Carrying|Beside|At|Way|\w*Told\w*)\b/gm,
  },
  'spread literal': { of: /(\.\.\.\{\s*[\w$]+)/g, source: true },
  'vague value': { of: /\b(?:const|let) (told|said|heard|ears|beside|meanwhile|whose|asked)\b/g },
  // the operator of conditions that is named so stays
  'is as a discriminant': { of: /\b(is: '(?!is')[\w-]+')/g },
}
const WORDS_OF_PATHS =
  /(^|[/.-])(told|tell|heard|felt|looks|filed|ways?|doors?|front-door|walls|ground|weather|lives|course|lanes?|till|crew|crowd|rails|courier|meanwhile|utils|common|helpers)(?=[/.-])/
const SCHEMAS = /Told|Seen|Like|^(Added|Opened|Read|Reached|Owed)(?=[A-Z])/
const VERBS =
  /^(accept|activate|add|adjust|answer|apply|approve|archive|ask|assign|attribute|book|bulk|cancel|change|check|close|complete|confirm|connect|copy|create|deactivate|decide|delete|disconnect|discard|dismiss|download|enable|disable|end|enter|erase|export|file|find|finish|get|hold|import|invite|issue|join|leave|list|make|mark|merge|move|open|pause|pay|ping|preview|publish|push|read|reassign|receive|refresh|refund|refuse|register|reject|release|remind|remove|renew|reorder|replace|replay|request|resend|reset|restore|resume|retry|revoke|rotate|run|save|search|send|set|share|sign|start|stop|submit|suspend|switch|test|track|undo|unarchive|update|upload|upsert|use|validate|verify|void|withdraw)(?=[A-Z]|$)/

function hits() {
  const found: string[] = []
  for (const path of paths) {
    const text = readFileSync(`${root}${path}`, 'utf8')
    const isTest = /test|spec/.test(path)
    for (const [rule, { of, source }] of Object.entries(RULES))
      if (!(source && isTest))
        for (const [, name] of text.matchAll(of)) found.push(`${path}: ${rule}: ${name!.replace(/\s+/g, ' ')}`)
    const word = WORDS_OF_PATHS.exec(path)?.[2]
    if (word) found.push(`${path}: word of a path: ${word}`)
  }
  const { components, paths: calls } = openApiDocument(endpoints, {
    appUrl: '',
    environment: 'local',
    version: '',
  }) as unknown as Document
  for (const [id, { deprecated }] of Object.entries(components.schemas))
    if (SCHEMAS.test(id) && !deprecated) found.push(`OpenAPI: schema: ${id}`)
  for (const call of Object.values(calls))
    for (const { operationId } of Object.values(call))
      if (operationId && !VERBS.test(operationId)) found.push(`OpenAPI: operation: ${operationId}`)
  return found.sort()
}
type Document = {
  components: { schemas: Record<string, { deprecated?: boolean }> }
  paths: Record<string, Record<string, { operationId?: string }>>
}

/** Returns how often each line is there: a file may have several of the same name. */
const counted = (lines: string[]) => Map.groupBy(lines, (line) => line)

test('no further name is one of our own words instead of the standard one', () => {
  const found = counted(hits())
  const baseline = counted(readFileSync(baselineFile, 'utf8').split('\n').filter(Boolean))
  const more = (one: typeof found, other: typeof found) =>
    [...one].filter(([line, { length }]) => length > (other.get(line)?.length ?? 0)).map(([line]) => line)
  if (process.env.UPDATE_NAMES) {
    const left = [...found].flatMap(([line, all]) => all.slice(0, baseline.get(line)?.length ?? 0))
    writeFileSync(baselineFile, `${left.join('\n')}\n`)
    return
  }
  assert.deepEqual(more(found, baseline), [], 'new names')
  assert.deepEqual(more(baseline, found), [], 'names that are gone, but still in names-baseline.txt')
})
