import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Endpoint, isReadByKey } from '#contract/endpoint.ts'
import type { Reader } from '#contract/field-readers.ts'
import { endpoints } from '#contract/index.ts'
import { restrictedReaders } from '#contract/readers.ts'
import { restrictedObjects } from '#test/support/sweep.ts'
import { visibleFields } from './visible-fields.ts'

const decided = [...restrictedReaders] as [
  z.ZodObject,
  { fields: Record<string, readonly Reader[]>; self: string | undefined },
][]
const nameOf = (schema: z.ZodType) => schema.meta()?.id ?? 'an object without a name'

/** Returns every object in an answer, at any depth. */
function objectsIn(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject)
    return [schema, ...Object.values(schema.shape).flatMap((field) => objectsIn(field as z.ZodType))]
  if (schema instanceof z.ZodArray) return objectsIn(schema.element as z.ZodType)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return objectsIn(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(objectsIn)
  if (schema instanceof z.ZodRecord) return objectsIn(schema.valueType as z.ZodType)
  return []
}

const readersAllowed = (endpoint: Endpoint): Reader[] => [
  ...new Set(
    endpoint.allow.flatMap((caller): Reader[] => {
      if (caller === 'push') return ['key']
      if (caller === 'owner' && isReadByKey(endpoint)) return ['owner', 'key']
      if (caller === 'finance') return ['key']
      return caller === 'owner' ||
        caller === 'manager' ||
        caller === 'viewer' ||
        caller === 'partner' ||
        caller === 'partner-member' ||
        caller === 'ancestor' ||
        caller === 'admin'
        ? [caller]
        : []
    }),
  ),
]

test('every field of every object has a decision that covers each reader of the object', () => {
  assert.deepEqual(
    decided.map(([schema]) => nameOf(schema)).toSorted(),
    [
      ...restrictedObjects,
      'Acceptance',
      'Account',
      'AccountWithStats',
      'Agreement',
      'AgreementVersion',
      'ApiKey',
      'ApiKeyWithKey',
      'CommissionEntry',
      'CommissionEntryWithSale',
      'DecidedApplication',
      'ImportedInvitation',
      'IncomingWebhook',
      'Invitation',
      'Lead',
      'ListedEntry',
      'ListedSale',
      'Member',
      'Partner',
      'PartnerMember',
      'PartnerPushResult',
      'Payday',
      'Payout',
      'PayoutDestination',
      'PayoutStatement',
      'ReceiptPayout',
      'Refund',
      'Sale',
      'TaxFormOnFile',
      'TermsState',
    ].toSorted(),
  )
  for (const [schema, { fields, self }] of decided) {
    assert.deepEqual(Object.keys(fields).toSorted(), Object.keys(schema.shape).toSorted(), nameOf(schema))
    if (self) assert.ok(self in schema.shape, self)
    for (const [field, readers] of Object.entries(fields))
      assert.ok(readers.length > 0, `${nameOf(schema)}.${field} is read by nobody`)
  }
})

test('an object that extends a decided one has a decision of its own', () => {
  const all = new Set(endpoints.flatMap(({ reply }) => (reply ? objectsIn(reply) : [])))
  for (const object of all)
    for (const [schema] of decided) {
      const extendsIt = Object.keys(schema.shape).every((field) => field in object.shape)
      assert.ok(!extendsIt || restrictedReaders.has(object), `${nameOf(object)} has all fields of ${nameOf(schema)}`)
    }
})

test('no call returns an object to a reader whom its decision does not name', () => {
  for (const endpoint of endpoints) {
    const { name, reply } = endpoint
    // the server chooses a union's variant per reader; getAccount has its own object for partners
    if (!reply || reply instanceof z.ZodUnion) continue
    for (const object of objectsIn(reply)) {
      const readers = restrictedReaders.get(object)
      if (!readers) continue
      const allowed = readersAllowed(endpoint)
      assert.ok(allowed.length > 0, `${name} answers ${nameOf(object)} to callers without a role`)
      for (const reader of allowed)
        assert.ok(
          Object.values(readers.fields).some((named) => named.includes(reader)),
          `${name}: ${nameOf(object)} is not for ${reader}`,
        )
    }
  }
})

/**
 * Fields with the names of secrets that are none: addresses of pages and of an owner's own systems, kinds and names of
 * things.
 */
const HARMLESS = [
  // of a text that anyone may read
  'Acceptance.textHash',
  'AccountForPartner.logoUrl',
  'AccountForPartner.programUrl',
  'Agreement.textHash',
  'AgreementVersion.textHash',
  'Asset.imageUrl',
  'BlueprintLink.destinationUrl',
  'BlueprintLink.shortUrl',
  'BlueprintLink.url',
  'Brand.coverUrl',
  'Brand.logoUrl',
  'Brand.portalUrl',
  'Lead.landingUrl',
  'LinkBlueprint.destinationUrl',
  'LinkBlueprint.key',
  'ListedSale.providerUrl',
  'OutgoingWebhook.url',
  'PartnerAsset.imageUrl',
  'PartnerLink.destinationUrl',
  'PartnerLink.shortUrl',
  'PartnerLink.url',
  'Program.url',
  'ProviderConnection.webhookSecretSet',
  // the endpoint is authenticated by signatures
  'ProviderConnection.webhookUrl',
  'RevenueLine.providerUrl',
  'Sale.providerUrl',
  // of a provider's form: the page that creates a key, and the keys of its fields
  'an object without a name.createUrl',
  'an object without a name.key',
  'an object without a name.secret',
]

test('an API key reads no field named like a secret, except those known to contain none', () => {
  const read = new Set<string>()
  for (const { reply } of endpoints.filter(isReadByKey))
    for (const object of reply ? objectsIn(reply) : []) {
      const fields = restrictedReaders.get(object)?.fields
      for (const [field, type] of Object.entries(object.shape)) {
        // an object declares the readers of each of its own fields
        if (objectsIn(type as z.ZodType).length > 0 || !/key|token|secret|password|url|hash|sealed/i.test(field))
          continue
        if (!fields || fields[field]!.includes('key')) read.add(`${nameOf(object)}.${field}`)
      }
    }
  // for administrators only, and withheld with the whole object
  read.delete('OwnerInvitation.url')
  assert.deepEqual([...read].toSorted(), HARMLESS)
})

/** Fills every field with a value, so that leaks show; nested objects decide for themselves. */
const planted = (schema: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.shape).map(([field, type]) => {
      if (type instanceof z.ZodObject) return [field, planted(type)]
      const holdsObjects = objectsIn(type as z.ZodType).length > 0
      return [field, holdsObjects ? (type instanceof z.ZodArray ? [] : null) : `secret ${field}`]
    }),
  )

/** Returns the fields whose planted value leaked. */
const leaked = (value: unknown) =>
  Object.entries(value as Record<string, unknown>)
    .filter(([field, left]) => left === `secret ${field}`)
    .map(([field]) => field)

test('each reader gets the fields meant for them and no others', () => {
  for (const [schema, { fields }] of decided) {
    const value = planted(schema)
    for (const reader of [
      'owner',
      'manager',
      'viewer',
      'partner',
      'partner-member',
      'ancestor',
      'admin',
      'key',
      null,
    ] as const) {
      const read = () => visibleFields(schema, value, { as: reader, partnerId: 'secret id' })
      const may = leaked(value).filter((field) => reader && fields[field]!.includes(reader))
      if (may.length === 0) assert.throws(read, / is not for /, `${nameOf(schema)} to ${reader}`)
      else assert.deepEqual(leaked(read()), may, `${nameOf(schema)} to ${reader}`)
    }
  }
})

test('a partner reads another partner as an ancestor, also in lists', () => {
  const [schema] = decided.find(([one]) => nameOf(one) === 'Partner')!
  const value = planted(schema)
  const list = z.object({ items: z.array(schema.nullable()) })
  const read = (as: Reader, partnerId: string) =>
    (visibleFields(list, { items: [value, null] }, { as, partnerId }) as { items: unknown[] }).items
  const [asAncestor] = read('ancestor', 'another')
  assert.deepEqual(read('partner', 'another'), [asAncestor, null])
  assert.deepEqual(read('partner-member', 'another'), [asAncestor, null])
  assert.notDeepEqual(read('partner', 'secret id'), [asAncestor, null])
})
