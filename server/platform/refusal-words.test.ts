import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { findExample } from '#contract/examples/index.ts'
import { sharedReasons } from '#contract/examples/refused.ts'
import { endpoints } from '#contract/index.ts'
import { withLanguage } from '#contract/language.ts'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import { loadMarked, MARKED, unmarkedWords } from '../../test/support/marked-language.ts'
import { parseValue } from './http/parse.ts'
import { Refusal, refusal } from './refusal.ts'

// Refusals of partners, applicants and customers are in their language.

const readers = ['partner', 'partner-member', 'ancestor', 'user', 'link', 'portal', 'public']

/** A call of owners, which anyone with a token of Wise may make. */
const ofOwners = 'listWiseProfiles'

const calls: readonly Endpoint[] = endpoints.filter(
  ({ name, allow }) => allow.some((caller) => readers.includes(caller)) && name !== ofOwners,
)

/** Reasons that only programs read, and `value_refused`, which has the words of a provider. */
const ofPrograms = /^api_key_|^value_refused$/

const declared = new Set(
  [...sharedReasons, ...calls.flatMap((call) => findExample(call)?.refused ?? [])].filter(
    (reason) => !ofPrograms.test(reason),
  ),
)

/** Returns the sentences of a refusal in the marked language. */
function wordRefusal(refused: Refusal): string[] {
  const { message, fields = {} } = withLanguage(MARKED, () => refused.inWords())
  return [message, ...Object.values(fields)]
}

test('each refusal that a call of a partner, an applicant or a customer declares has its words', async (t) => {
  t.after(await loadMarked())
  const of = refusal as (reason: RefusalReason, ...more: object[]) => Refusal
  const faults = [...declared].filter((reason) => {
    const names = [...refusals[reason][1].matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name!, '17'])
    const refused = names.length > 0 ? of(reason, Object.fromEntries(names)) : of(reason)
    return wordRefusal(refused).some((text) => unmarkedWords(text).length > 0)
  })
  assert.deepEqual(faults, [])
})

/** Fields of these calls that a team alone sends. */
const ofTeam = ['approvedPayoutYears']

const wrong = [undefined, null, '', ' ', 'x', 'x'.repeat(20_000), -1, 1.5, 1e15, true, [], {}, 'ä@', '2026-13-40']

/** Yields the value with each of its parts replaced by each wrong value, and with a part that is surplus. */
function* variants(value: unknown): Generator<unknown> {
  yield* wrong
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of variants(value[0])) yield [one]
    yield Array.from({ length: 2_000 }, () => value[0])
    return
  }
  yield { ...value, surplus: 1 }
  for (const [key, one] of Object.entries(value))
    if (!ofTeam.includes(key)) for (const other of variants(one)) yield { ...value, [key]: other }
}

function refusedBy(schema: z.ZodType, value: unknown, what: 'body' | 'query'): Refusal[] {
  try {
    parseValue(schema, value, what)
    return []
  } catch (error) {
    if (error instanceof Refusal) return [error]
    throw error
  }
}

test('what schemas say of wrong fields in these calls has its words', async (t) => {
  t.after(await loadMarked())
  const faults = new Set<string>()
  const seen = new Set<string>()
  for (const call of calls) {
    const example = findExample(call)
    for (const what of ['body', 'query'] as const) {
      const schema = call[what]
      if (!schema) continue
      for (const value of variants(example?.[what] ?? {}))
        for (const refused of refusedBy(schema, value, what)) {
          if (seen.has(refused.message)) continue
          seen.add(refused.message)
          for (const text of wordRefusal(refused))
            if (unmarkedWords(text).length > 0) faults.add(`${call.name}: ${text}`)
        }
    }
  }
  assert.ok(seen.size > 200, String(seen.size))
  assert.deepEqual([...faults].toSorted(), [])
})
