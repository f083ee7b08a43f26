import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { keysOfChanges, type PublicEvent, publicEvents } from '#contract/events.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { keptInEvents } from '../../../test/support/sweep.ts'

// The texts that an erasure leaves in events of every kind: a new field of an object is emptied, or listed here.

const db = await freshDatabase()

type Schema = {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
}

const CANARY = 'canary'

/** A value of a schema in which every text that is no id, day, instant or constant is a canary; `nth`: of alternatives. */
function sampleOf(schema: Schema, defs: Record<string, Schema>, nth: number): unknown {
  if (schema.$ref) return sampleOf(defs[schema.$ref.split('/').at(-1)!]!, defs, nth)
  const choices = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (choices) return sampleOf(choices[Math.min(nth, choices.length - 1)]!, defs, nth)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[Math.min(nth, schema.enum.length - 1)]
  const type = [schema.type].flat().find((one) => one !== 'null')
  const inside = (one: Schema) => sampleOf(one, defs, nth)
  if (type === 'object') {
    const { properties = {}, additionalProperties: others } = schema
    return {
      ...Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, inside(one)])),
      ...(typeof others === 'object' && Object.keys(others).length > 0 && { any: inside(others) }),
    }
  }
  if (type === 'array') return [inside(schema.items!)]
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  const isId = schema.minLength === 1 && schema.maxLength === 64
  return isId || schema.pattern || ['date', 'date-time'].includes(schema.format ?? '') ? '' : CANARY
}

function canariesIn(value: unknown, path: string): string[] {
  if (value === CANARY) return [path]
  if (Array.isArray(value)) return value.flatMap((one) => canariesIn(one, path))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) => canariesIn(one, path ? `${path}.${key}` : key))
}

/** The texts that are left in events of this kind, as paths in the object. */
async function leftIn(kind: string, person: 'lead' | 'partner'): Promise<string[]> {
  const left = new Set<string>()
  for (const type of Object.keys(publicEvents) as PublicEvent[]) {
    if (!type.startsWith(`${kind}.`)) continue
    const { $defs = {}, ...root } = z.toJSONSchema(publicEvents[type], { io: 'output' }) as Schema & {
      $defs?: Record<string, Schema>
    }
    const extraKeys = [...keysOfChanges.get(type)!].filter((key) => !(key in publicEvents[type].shape))
    for (let nth = 0; nth < 8; nth++) {
      const object = sampleOf(root, $defs, nth) as Record<string, unknown>
      const fullObject = { ...object, ...Object.fromEntries(extraKeys.map((key) => [key, CANARY])) }
      const changes = Object.fromEntries(
        Object.entries(fullObject).map(([key, value]) => [key, { old: value, new: value }]),
      )
      for (const data of [{ object }, { object, changes }, { changes }]) {
        const emptied = await db.value<typeof data>`select emptied(${JSON.stringify(data)}::jsonb, ${person})`
        for (const path of [
          ...canariesIn('object' in emptied ? emptied.object : {}, ''),
          ...canariesIn('changes' in emptied ? emptied.changes : {}, '').map((one) => one.replace(/\.(old|new)\b/, '')),
        ])
          left.add(path)
      }
    }
  }
  return [...left].sort()
}

const ENTRY = ['currency', 'rule']

test('of an erased lead, events keep what their sales and their partner are known by', async () => {
  assert.deepEqual(await leftIn('lead', 'lead'), ['country', 'linkName', 'partnerName', 'stats.currency'])
  assert.deepEqual(
    await leftIn('sale', 'lead'),
    [
      ...ENTRY.map((field) => `commissions.${field}`),
      ...[
        'accountCurrency',
        'commissions.partnerName',
        'country',
        'currency',
        'externalId',
        'heldUntil',
        'hold.reason',
      ],
      ...['lines.id', 'lines.name', 'lines.priceId', 'lines.productId', 'lines.sku', 'partnerName', 'promotionCodes'],
      ...['providerCustomerId', 'providerUrl', 'refunds.externalId', 'refunds.lines.id', 'subscriptionId'],
    ].sort(),
  )
  assert.deepEqual(await leftIn('commission', 'lead'), [...ENTRY, 'partnerExternalId', 'partnerName'].sort())
})

test('of an erased partner, events keep what their money and their group are known by', async () => {
  assert.deepEqual(await leftIn('partner', 'partner'), [
    ...['balance', 'destinationUrl', 'domains', 'groupName', 'language', 'stats.currency', 'subPartners', 'textHash'],
  ])
  assert.deepEqual(await leftIn('promotion-code', 'partner'), [])
  // who decided is a member of the team
  assert.deepEqual(await leftIn('application', 'partner'), ['decidedBy', 'groupName', 'language'])
  assert.deepEqual(await leftIn('invoice', 'partner'), ['correctedBy', 'currency', 'number', 'payoutNumber'])
  assert.deepEqual(await leftIn('payout', 'partner'), [
    ...['approvedBy', 'attempts.state', 'attempts.transferId', 'attempts.wiseTransferId', 'blockers.message'],
    // null in events
    ...['currency', 'destination.country', 'destination.currency', 'destination.hint', 'detailsVersion'],
    ...['externalReference', 'firstApproval.name', 'invoiceNumber'],
    // the product's own words for what a bank found
    ...['nameCheck.message', 'payee.currency', 'payee.feeCurrency', 'reward.unitName'],
  ])
  const named = ['partnerName', 'partnerExternalId', 'linkName', 'commissions.partnerName']
  for (const kind of ['lead', 'sale', 'commission'])
    assert.deepEqual(
      (await leftIn(kind, 'partner')).filter((path) => named.includes(path)),
      [],
      kind,
    )
})

test('of an erased person, events of features keep what each declares', async () => {
  for (const [kind, left] of Object.entries(keptInEvents))
    for (const person of ['lead', 'partner'] as const)
      assert.deepEqual(await leftIn(kind, person), left[person], `${kind}, ${person}`)
})
