import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import type { InvoiceDocument } from '#contract/invoices.ts'
import { anyDocument, brokenRules, orderOfElements, readTerms, rules } from '../../../test/support/e-invoices.ts'
import { writeCii } from './cii.ts'
import { toTerms } from './en16931.ts'
import { writeUbl } from './ubl.ts'

const PAPERS = new URL('../../../test/fixtures/papers/', import.meta.url)
const published = [
  'kosit/01.20a-INVOICE_ubl.xml',
  'kosit/01.20a-INVOICE_uncefact.xml',
  'zugferd-corpus/EN16931_Gutschrift.ubl.xml',
  'zugferd-corpus/EN16931_Gutschrift.cii.xml',
].map((name) => ({ name, xml: readFileSync(new URL(name, PAPERS), 'utf8') }))

const documents = fc.sample(anyDocument, { numRuns: 400, seed: Number(process.env.SEED ?? 16_931) })

/** The forms that a document has. */
const formsOf = (document: InvoiceDocument) => [
  ...(document.electronic.pdf ? [writeCii(toTerms(document, 2))] : []),
  ...(document.electronic.xml ? [writeUbl(toTerms(document, 2))] : []),
]

test('published self-billed invoices keep our rules', async () => {
  for (const { name, xml } of published) assert.deepEqual(brokenRules(await readTerms(xml)), [], name)
})

test('random documents keep every rule in both forms, and a broken twin keeps all but it', async () => {
  const broken = new Set<string>()
  const seen = new Set<string>()
  for (const document of documents)
    for (const xml of formsOf(document)) {
      const terms = await readTerms(xml)
      assert.deepEqual(brokenRules(terms), [], xml)
      seen.add(`${document.kind} ${document.treatment}`)
      for (const rule of rules) {
        const twin = structuredClone(terms)
        if (rule.breaks(twin) === false) continue
        assert.ok(!rule.holds(twin), `${rule.says}\n${xml}`)
        broken.add(rule.says)
      }
    }
  assert.equal(broken.size, rules.length)
  assert.equal(seen.size, 8, [...seen].join())
})

test('both forms say the same', async () => {
  for (const document of documents.filter(({ electronic }) => electronic.xml)) {
    const [cii, ubl] = (await Promise.all(formsOf(document).map(readTerms))) as [
      Awaited<ReturnType<typeof readTerms>>,
      Awaited<ReturnType<typeof readTerms>>,
    ]
    assert.deepEqual({ ...ubl, 'BT-23': [], 'BT-24': [] }, { ...cii, 'BT-24': [] })
  }
})

test('elements have the order of the published ones', async () => {
  const orders = (await Promise.all(published.map(({ xml }) => orderOfElements(xml)))).flat()
  const before = new Set(
    orders.flatMap(([parent, children]) =>
      children.flatMap((one, at) => children.slice(at + 1).map((later) => `${parent}: ${one} ${later}`)),
    ),
  )
  for (const document of documents)
    for (const xml of formsOf(document))
      for (const [parent, children] of await orderOfElements(xml))
        for (const [at, one] of children.entries())
          for (const later of children.slice(at + 1))
            assert.ok(!before.has(`${parent.replace('CreditNote', 'Invoice')}: ${later} ${one}`), `${one}, ${later}`)
})
