import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import { modulesOfWords } from '#contract/words.ts'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { loadMarked, MARKED, unmarkedWords, withoutMarked } from '../../../test/support/marked-language.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'
import { readEnglish } from '../../platform/word-files.ts'
import { entryReasons, sayBonusReason, sayEntryReason } from '../commissions/text.ts'
import { sayReason } from './payouts.ts'
import { payoutReasons } from './reason-text.ts'

// Reasons are stored in English. Who reads them in another language gets ours in it, and what others wrote as it is.

const app = await startApp()

const readIn = (language: string, token: string) => ({
  get: async (path: string) =>
    expectOk(
      await app.api('GET', path, { token, headers: { 'accept-language': language, accept: 'application/json' } }),
    ).body,
})
const inGerman = (token: string) => readIn('de', token)

test('a partner reads in their language why a payout failed, and what we booked; the team reads English', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const payout = await aPayout(app, account, partner, 20_00)
  const { db } = app.services
  const path = `/payouts/${payout.id}`
  const stored = payoutReasons.unclaimed({ provider: 'PayPal', day: 'Dec 3, 2026' })
  await db.run`update payouts set failure_reason = ${stored} where id = ${payout.id}`
  const [german, english] = [inGerman(partner.token), readIn('*', partner.token)]
  const readReason = async (caller: typeof german) => (await caller.get(path)).failureReason
  assert.equal(await readReason(german), 'Noch nicht angenommen; PayPal schickt das Geld am 03.12.2026 zurück.')
  assert.equal(await readReason(english), 'Not claimed yet; PayPal returns it on Dec 3, 2026.')
  assert.equal(await readReason(inGerman(account.token)), await readReason(english))
  const statement = await german.get(`${path}/statement`)
  assert.equal(statement.payout.failureReason, await readReason(german))

  const booked = { amount: 5_00, reason: entryReasons.paidAfterAll }
  expectOk(await app.api('POST', `/partners/${partner.id}/adjustments`, { token: account.token, body: booked }))
  const reasons = async (caller: typeof german) =>
    (await caller.get(`${path}/entries`)).items.map(({ reason }: { reason: string }) => reason).toSorted()
  assert.deepEqual(await reasons(german), ['Agreed', 'Bezahlt, obwohl die Genehmigung nicht mehr galt'])
  assert.deepEqual(await reasons(english), ['Agreed', 'Paid although it was no longer approved'])
  assert.deepEqual(await reasons(inGerman(account.token)), await reasons(english))
})

test('reasons within reasons, days and months are in the language; words of others stay as they are', () => {
  const german = (say: (text: string) => string, text: string) => withLanguage('de', () => say(text))
  for (const [text, wanted] of [
    ['Joined with PO-3. The payout details changed.', 'Zusammengelegt mit PO-3. Die Auszahlungsdaten wurden geändert.'],
    [
      'Joined with PO-3. Paid before the database was restored',
      'Zusammengelegt mit PO-3. Vor der Wiederherstellung der Datenbank bezahlt',
    ],
    [
      'It isn’t known whether PayPal took this payment. PayPal says: Risk decline. If it was paid, mark it as paid; if not, cancel it.',
      'Es ist nicht bekannt, ob PayPal diese Zahlung angenommen hat. PayPal meldet: Risk decline. Wenn bezahlt wurde, markieren Sie sie als bezahlt; wenn nicht, brechen Sie sie ab.',
    ],
    [
      'The bank returned it: The account is closed (AC04).',
      'Die Bank hat sie zurückgegeben: Das Konto ist geschlossen (AC04).',
    ],
    ['The bank returned it: XY99.', 'Die Bank hat sie zurückgegeben: XY99.'],
    ['Wise charged back the payment.', 'Wise hat die Zahlung zurückbelastet.'],
    ['Not claimed yet; PayPal returns it on some day.', 'Not claimed yet; PayPal returns it on some day.'],
    ['The account number is not valid.', 'The account number is not valid.'],
  ] as const)
    assert.equal(german(sayReason, text), wanted)
  assert.equal(german(sayEntryReason, 'A thank you'), 'A thank you')
  for (const [text, wanted] of [
    ['Busy month, October 2026', 'Busy month, Oktober 2026'],
    ['Ten, twenty, October 2026, no longer reached', 'Ten, twenty, Oktober 2026, nicht mehr erreicht'],
    ['Ten, twenty, reached again', 'Ten, twenty, wieder erreicht'],
    ['Ten, twenty', 'Ten, twenty'],
  ] as const)
    assert.equal(german(sayBonusReason, text), wanted)
})

test('each reason that a payout stores is recognised', async (t) => {
  const modules = ['payout-reasons', 'wise-reasons', 'paypal-reasons', 'bank-reasons', 'entry-reasons']
  const texts = (await readEnglish()).filter(({ module }) => modules.includes(module))
  assert.deepEqual(
    new Set(texts.map(({ module }) => module)),
    new Set(modules.filter((one) => modulesOfWords.has(one))),
  )
  t.after(await loadMarked())
  const values: Record<string, string> = { day: 'Dec 3, 2026' }
  for (const { text } of texts) {
    const stored = text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? 'X1')
    const shown = withLanguage(MARKED, () => sayReason(stored))
    assert.deepEqual([unmarkedWords(shown), withoutMarked(shown).trim()], [[], ''], shown)
  }
})
