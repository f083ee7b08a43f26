import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { withLanguage } from '#contract/language.ts'
import { moneyInWords } from '#contract/money.ts'
import type { PayoutStatement } from '#contract/payouts.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import { fakeWise } from '../../../../test/fakes/wise.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../../test/support/app.ts'
import { loadMarked, MARKED, readableText, unmarkedWords } from '../../../../test/support/marked-language.ts'
import { partnerPeople } from '../../../../test/support/partner-people.ts'
import {
  aPayee,
  aPayout,
  bankDetails,
  bookDue,
  connectWise,
  listPayouts,
  requestRefresh,
} from '../../../../test/support/payouts.ts'
import { fontFiles, readFonts, setFonts, splitByFont } from './fonts.ts'
import { renderPage } from './page.ts'
import { renderPdf } from './pdf.ts'
import { printedStatement, statementLine } from './words.ts'

const wise = await fakeWise()
test.after(() => wise.close())
const app = await startApp({ config: { wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: '' } } })

const requestStatement = (id: string, token: string, accept?: string, query = '', language?: string) =>
  fetch(`${app.url}/api/v1/payouts/${id}/statement${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(accept && { accept }), 'accept-language': language ?? '*' },
  })

async function pageFor(id: string, token: string) {
  const answer = await requestStatement(id, token)
  assert.equal(answer.status, 200)
  return answer.text()
}

async function readPdf(bytes: ArrayBuffer | Uint8Array) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(pdf, { mergePages: false })
  const [, , width, height] = (await pdf.getPage(1)).view
  const marks = []
  for (let at = 1; at <= pdf.numPages; at++) marks.push(...(await (await pdf.getPage(at)).getAnnotations()))
  return {
    sheets: text,
    text: text.join('\n').replace(/\s+/g, ' '),
    size: [Math.round(width!), Math.round(height!)],
    links: marks.map(({ url }): string => url),
  }
}

async function pdfFor(id: string, token: string, query = '') {
  const answer = await requestStatement(id, token, 'application/pdf', query)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return { ...(await readPdf(await answer.arrayBuffer())), headers: answer.headers }
}

const post = async (account: TestAccount, path: string, body: object = {}) =>
  expectOk(await app.api('POST', path, { token: account.token, body })).body

/** The receipts of a payout's entries, each with its amount. */
async function receiptsOf(id: string, { token }: TestAccount) {
  const { items } = expectOk(await app.api('GET', `/payouts/${id}/entries?limit=100`, { token })).body
  return (items as CommissionEntryWithSale[]).map(({ id, amount, currency }) => [
    `${app.services.config.appUrl}/commissions/${id}`,
    moneyInWords(amount, currency),
  ])
}

/** Returns a page's visible text. */
const seen = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** A partner with a parent, a customer with sales, one of them partly refunded, and a debt. */
async function aStory(settings: Record<string, unknown> = {}) {
  const layerRates = { defaultCommissionSettings: { layerRates: [20, 7.5] } }
  const account = await anAccount(app, { payoutDelay: 0, ...layerRates, ...settings })
  const parent = await aPayee(app, account, { firstName: 'Rhea', lastName: 'Moss' })
  const partner = await aPayee(app, account, { parentPartnerId: parent.id })
  const customer = { partnerId: partner.id, firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
  const lead = await post(account, `/accounts/${account.id}/leads`, customer)
  const sale = await post(account, `/leads/${lead.id}/sales`, { amount: 500_00, description: 'Team plan' })
  await post(account, `/leads/${lead.id}/sales`, { amount: 30_00 })
  await post(account, `/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'secret-refund-reason' })
  await bookDue(app, account, partner, -5_00)
  await requestRefresh(app, account)
  const payoutOf = async (one: { id: string }) => (await listPayouts(app, account, one))[0]!
  return { account, parent, partner, lead, payout: await payoutOf(partner), parentPayout: await payoutOf(parent) }
}

test('a page says who is paid what for which sales, and adds up', async () => {
  const { account, partner, payout, parent, parentPayout } = await aStory({ timeZone: 'Pacific/Auckland' })
  const answer = await requestStatement(payout.id, account.token)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(
    answer.headers.get('content-disposition'),
    `inline; filename="PO-${payout.statementNumber} Not final.html"`,
  )
  const page = await answer.text()
  const text = seen(page)
  for (const words of [
    `Payout statement PO-${payout.statementNumber}`,
    'From Northwind To Pia Tern',
    'Not final. Not yet approved. This is a preview',
    'Commissions 2 entries $106.00',
    'Reversed after refunds, disputes and voided sales 1 entry -$20.00',
    'Adjustments 1 entry -$5.00 Total $81.00',
    'Team plan Hannah Cole 1 20% $500.00 $100.00',
    'Refund of Team plan Hannah Cole 1 20% -$100.00 -$20.00',
    'Hannah Cole 1 20% $30.00 $6.00',
    'Adjustment: Agreed -$5.00 Total $81.00',
    'Amounts are in USD. Dates are in the time zone Pacific/Auckland.',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.doesNotMatch(page, /secret-refund-reason|<script|<link|<img|src=|url\(/)
  const links = [...page.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(([, to, amount]) => [to, amount])
  assert.deepEqual(links.toSorted(), (await receiptsOf(payout.id, account)).toSorted(), 'each amount opens its receipt')

  expectOk(await app.api('POST', `/payouts/${payout.id}/approve`, { token: account.token }))
  assert.match(seen(await pageFor(payout.id, partner.token)), /Approved\. The money hasn’t been sent yet\./)
  const paid = { reference: 'Wire 4471' }
  expectOk(await app.api('POST', `/payouts/${payout.id}/mark-paid`, { token: account.token, body: paid }))
  const kept = seen(await pageFor(payout.id, partner.token))
  assert.match(kept, /Paid\. .*Paid \w{3} \d+, \d{4} Payment reference Wire 4471.*Total \$81\.00/)

  const above = seen(await pageFor(parentPayout.id, parent.token))
  assert.match(above, /Sale on .+? Another partner’s lead 2 7\.5% \$500\.00 \$37\.50/)
  assert.match(above, /Refund of the sale on .+? Another partner’s lead 2 7\.5% -\$100\.00 -\$7\.50/)
  assert.doesNotMatch(above, /Hannah/)
  assert.match(seen(await pageFor(parentPayout.id, account.token)), /Hannah Cole 2 7\.5% \$500\.00 \$37\.50/)
})

test('a partner reads a statement in the language of their screen, the team in English', async () => {
  const { account, partner, payout } = await aStory({ defaultCurrency: 'eur' })
  const inGerman = (token: string, accept: string) => requestStatement(payout.id, token, accept, '', 'de-DE,de;q=0.9')
  const answer = await inGerman(partner.token, 'text/html')
  assert.equal(answer.headers.get('content-language'), 'de-DE')
  const page = await answer.text()
  assert.match(page, /^<!doctype html>\n<html lang="de-DE">/)
  assert.match(page, /content: "Seite " counter\(page\) " von " counter\(pages\);/)
  const text = seen(page)
  for (const words of [
    `Auszahlungsabrechnung PO-${payout.statementNumber}`,
    'Von Northwind An Pia Tern',
    'Nicht endgültig. Noch nicht genehmigt.',
    'Provisionen 2 Buchungen 106,00 €',
    'Datum Buchung Ebene Satz Basis Betrag',
    'Hannah Cole 1 20 % -100,00 € -20,00 €',
    'Summe 81,00 €',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.match(text, /Erstattung: Verkauf am \d\d\.\d\d\.\d{4} Hannah/)
  const pdf = await inGerman(partner.token, 'application/pdf')
  const bytes = Buffer.from(await pdf.arrayBuffer())
  assert.ok(bytes.includes('/Lang (de-DE)'))
  const printed = (await readPdf(bytes)).text
  for (const words of ['Auszahlungsabrechnung', 'Übersicht', '106,00 €', 'Seite 1 von 1', 'Beträge in EUR.'])
    assert.ok(printed.includes(words), `${words} in ${printed}`)
  const ofTeam = await inGerman(account.token, 'text/html')
  assert.equal(ofTeam.headers.get('content-language'), 'en')
  assert.match(await ofTeam.text(), /<html lang="en">.*Commissions.*€106\.00/s)
})

test('no English word is left on a statement in another language', async (t) => {
  const { account, payout, parent, parentPayout } = await aStory({ timeZone: 'UTC' })
  t.after(await loadMarked())
  for (const { id, token } of [
    { id: payout.id, token: account.token },
    { id: parentPayout.id, token: parent.token },
  ]) {
    const statement = (await (await requestStatement(id, token, 'application/json')).json()) as PayoutStatement
    const { items } = expectOk(await app.api('GET', `/payouts/${id}/entries`, { token })).body
    const how = { timeZone: 'UTC', origin: 'https://x.test' }
    const lines = withLanguage(MARKED, () => items.map((one: CommissionEntryWithSale) => statementLine(one, how)))
    const printed = withLanguage(MARKED, () => printedStatement(statement))
    const parts = { page: renderPage(printed, only(lines)), pdf: renderPdf(printed, only(lines), 'a4') }
    const page = (await Array.fromAsync(parts.page)).join('')
    const data = /Northwind|Pia Tern|Rhea Moss|Hannah Cole|Team plan|Agreed|USD|UTC|width=device-width/g
    assert.deepEqual(unmarkedWords(readableText(page).replace(data, ' ')), [])
    assert.match(page, /content: "⟦Page " counter\(page\)/)
    const pdf = await readPdf(Buffer.concat(await Array.fromAsync(parts.pdf)))
    assert.match(pdf.text, /Page 1 of 1/)
  }
})

async function* only<Item>(item: Item) {
  yield item
}

test('a PDF holds every entry that the ledger has, on numbered sheets with a head on each, in either format', async () => {
  const { account, partner, payout, lead } = await aStory()
  for (let at = 1; at <= 40; at++) {
    const sale = { amount: at * 1_01, description: `Seat ${at}` }
    await post(account, `/leads/${lead.id}/sales`, sale)
  }
  expectOk(await app.api('POST', `/payouts/${payout.id}/approve`, { token: account.token }))
  const ledger = await app.services.db.one<{ sum: number; count: number }>`
    select sum(amount)::bigint as sum, count(*) as count from commission_entries where partner_id = ${partner.id}`

  const { sheets, text, size, links, headers } = await pdfFor(payout.id, partner.token)
  assert.equal(headers.get('content-disposition'), `attachment; filename="PO-${payout.statementNumber} Not final.pdf"`)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(size, [612, 792], 'letter, as the account is in usd')
  assert.ok(sheets.length > 2)
  for (const [at, sheet] of sheets.entries()) {
    assert.ok(sheet.replace(/\s+/g, ' ').includes(`Page ${at + 1} of ${sheets.length}`), sheet)
    assert.match(sheet.replace(/\s+/g, ' '), /Date Entry Layer Rate Base Amount/)
  }
  for (let at = 1; at <= 40; at++) {
    const [base, earned] = [(at * 1.01).toFixed(2), (Math.round(at * 1_01 * 0.2) / 100).toFixed(2)]
    assert.ok(text.includes(`Hannah Cole 1 20% $${base} $${earned}`), `${at}: ${text}`)
  }
  const receipts = await receiptsOf(payout.id, account)
  assert.deepEqual(links.toSorted(), receipts.map(([to]) => to).toSorted())
  const rows = [...text.matchAll(/(?:20% -?\$[\d,.]+|Adjustment: Agreed) (-?)\$([\d,]+)\.(\d\d)/g)]
  assert.equal(rows.length, ledger.count)
  const amounts = rows.map(([, sign, whole, cents]) => Number(`${sign}${whole!.replace(',', '')}${cents}`))
  assert.equal(
    amounts.reduce((sum, amount) => sum + amount),
    ledger.sum,
  )

  const a4 = await pdfFor(payout.id, account.token, '?paper=a4')
  assert.deepEqual(a4.size, [595, 842])
  assert.ok(a4.text.includes('Seat 40'), 'an owner reads what was sold')
  assert.ok(!text.includes('Seat 40'), 'a partner does not')
  assert.equal((await requestStatement(payout.id, account.token, undefined, '?paper=a5')).status, 422)
})

test('what a partner may not see is on no form of their statement', async () => {
  const hidden = { leadNames: false, leadEmails: false, saleAmounts: false }
  const { account, partner, payout, lead } = await aStory({ partnerVisibility: hidden })
  const shown = `Lead ${lead.id.slice(-6)}`
  const forms = async (token: string) => [
    await pageFor(payout.id, token),
    (await pdfFor(payout.id, token)).text,
    await (await requestStatement(payout.id, token, 'application/json')).text(),
  ]
  for (const form of await forms(partner.token))
    assert.doesNotMatch(form, /Hannah|Cole|brightline|Team plan|500\.00|secret-refund-reason|Nora/)
  const [page, pdf] = await forms(partner.token)
  for (const form of [seen(page!), pdf!]) assert.ok(form.includes(shown) && form.includes('$100.00'), form)
  const [forOwner] = await forms(account.token)
  assert.match(forOwner!, /Hannah Cole.*\$500\.00/s)
})

test('a partner’s member reads no statement, and receipts without where the money goes', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  await connectWise(app, account, wise)
  const partner = await aPayee(app, account)
  const member = await partnerPeople(app).aMember(account, partner, 'member')
  const payout = await aPayout(app, account, partner, 50_00)
  await post(account, `/payouts/${payout.id}/approve`)
  const [entry] = expectOk(await app.api('GET', `/payouts/${payout.id}/entries`, { token: account.token })).body.items
  const readBy = async ({ token }: { token: string }) => {
    const receipt = expectOk(await app.api('GET', `/commissions/${entry.id}`, { token })).body
    return [(await requestStatement(payout.id, token)).status, receipt.payout.destination]
  }
  assert.deepEqual(await readBy(partner), [200, '•••••6789'])
  assert.deepEqual(await readBy(member), [403, null])
})

test('of a bank account the last four digits of the one it goes to are said, whatever comes after', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  await connectWise(app, account, wise)
  const partner = await aPayee(app, account)
  const payout = await aPayout(app, account, partner, 40_00)
  const facts = async (): Promise<PayoutStatement> =>
    (await requestStatement(payout.id, partner.token, 'application/json')).json() as Promise<PayoutStatement>
  assert.equal((await facts()).destination, '•••••6789', 'the present one, until it is approved')
  expectOk(await app.api('POST', `/payouts/${payout.id}/approve`, { token: account.token }))
  assert.equal((await facts()).destination, '•••••6789')
  await app.services.db.run`update payouts set status = 'paid', paid_at = approved_at where id = ${payout.id}`
  const others = bankDetails({ accountNumber: '555566667777' })
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: others }))
  const statement = await facts()
  assert.deepEqual([statement.payout.status, statement.destination], ['paid', '•••••6789'])
  const page = await pageFor(payout.id, account.token)
  const { text } = await pdfFor(payout.id, account.token)
  for (const form of [seen(page), text]) {
    assert.match(form, /Bank account •••••6789/)
    assert.doesNotMatch(form, /123456789|021000021|7777|Broad Street/)
  }
})

test('a canceled payout says that nothing was paid; another account’s is not there; only what is offered is asked for', async () => {
  const { account, parent, partner, payout } = await aStory()
  expectOk(await app.api('POST', `/payouts/${payout.id}/approve`, { token: account.token }))
  expectOk(await app.api('POST', `/payouts/${payout.id}/cancel`, { token: account.token }))
  assert.match(seen(await pageFor(payout.id, account.token)), /Canceled\. Nothing was paid.*Hannah Cole/)
  const next = (await listPayouts(app, account, partner)).find(({ status }) => status === 'due')
  expectOk(await app.api('POST', `/payouts/${next!.id}/cancel`, { token: account.token }))
  const neverApproved = seen(await pageFor(next!.id, account.token))
  assert.match(neverApproved, /Canceled\. .*Total \$0\.00.*There are no entries on this statement\. ?Total \$0\.00/)

  const other = await anAccount(app)
  const stranger = await aPartner(app, other, {}, { signIn: true })
  for (const token of [other.token, stranger.token, parent.token])
    for (const accept of ['text/html', 'application/pdf', 'application/json']) {
      const { status, headers } = await requestStatement(payout.id, token, accept)
      assert.deepEqual([status, headers.get('content-type')], [404, 'application/json; charset=utf-8'])
    }
  for (const id of ['nonsense', '0198c5a2-6b1e-7c3d-9f00-000000000001'])
    assert.equal((await requestStatement(id, account.token)).status, 404)
  const refused = await app.api('GET', `/payouts/${payout.id}/statement`, {
    token: account.token,
    headers: { accept: 'image/png' },
  })
  assert.equal(refused.status, 406)
  assert.equal(
    refused.body.error.message,
    'This endpoint returns text/html, application/pdf, application/json. Set Accept to one of these.',
  )
})

test('a day of payment that a person entered stays the same when the time zone changes', async () => {
  const account = await anAccount(app, { payoutDelay: 0, timeZone: 'Asia/Tokyo' })
  const payout = await aPayout(app, account, await aPayee(app, account), 40_00)
  const paid = { reference: 'Wire 7', paidAt: '2026-01-01' }
  expectOk(await app.api('POST', `/payouts/${payout.id}/mark-paid`, { token: account.token, body: paid }))
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { timeZone: 'UTC' } }))
  assert.match(seen(await pageFor(payout.id, account.token)), /Paid Jan 1, 2026 /)
})

test('names of every kind are printed as they are, and what no font has is said to be missing', async () => {
  const account = await anAccount(app, { name: '<b>Żółw & Sons</b> "x"', payoutDelay: 0 })
  const names = { firstName: 'Nguyễn Αθήνα Łódź Київ', lastName: 'a\u2028b\u202ec</td><script>' }
  const partner = await aPayee(app, account, names)
  const payout = await aPayout(app, account, partner, 40_00)
  const body = { amount: 1_00, reason: 'שלום עולם محمد علي\n王小明 👩‍👩‍👧 𝒜 end' }
  expectOk(await app.api('POST', `/partners/${partner.id}/adjustments`, { token: account.token, body }))
  const page = await pageFor(payout.id, account.token)
  assert.ok(page.includes('<dd>&lt;b&gt;Żółw &amp; Sons&lt;/b&gt; &quot;x&quot;</dd>'), page)
  assert.ok(page.includes('Nguyễn Αθήνα Łódź Київ a b') && !page.includes('<script'), page)
  assert.ok(page.includes('Adjustment: שלום עולם محمد علي 王小明 👩‍👩‍👧 𝒜 end'), page)
  const { text } = await pdfFor(payout.id, account.token)
  for (const words of ['<b>Żółw & Sons</b> "x"', 'Nguyễn Αθήνα Łódź Київ a b'])
    assert.ok(text.includes(words), `${words} in ${text}`)
  for (const word of ['שלום', 'עולם', 'محمد', 'علي', '???', 'end']) assert.ok(text.includes(word), `${word} in ${text}`)
  assert.match(text, /“\?” also stands for characters that this file can’t show/)
})

test('a font in DATA_DIR/languages prints what ours lack, in runs among ours, on the same line', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fonts-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const folder = join(dataDir, 'languages')
  await mkdir(folder)
  // this font alone has the mathematical letters, as one of another script would
  await copyFile(fontFiles.regular.replace('DejaVuSansCondensed', 'DejaVuSans'), join(folder, 'more.ttf'))
  await writeFile(join(folder, 'broken.otf'), 'no font')
  const { fonts, faults } = await readFonts(dataDir)
  assert.match(faults.join('\n'), /^broken\.otf can’t be used as a font: /)
  assert.deepEqual(splitByFont('a 𝖠'), [{ text: 'a 𝖠', file: null }])

  const account = await anAccount(app, { name: 'Żółw 𝖠𝖡 & Sons', payoutDelay: 0 })
  const payout = await aPayout(app, account, await aPayee(app, account, { firstName: '𝖢𝖣', lastName: 'Łódź' }), 40_00)
  const before = await pdfFor(payout.id, account.token)
  assert.match(before.text, /Żółw \?\? & Sons.*also stands for characters/)
  t.after(setFonts(fonts))
  const more = join(folder, 'more.ttf')
  assert.deepEqual(splitByFont('a 𝖠 𝖡b'), [
    { text: 'a ', file: null },
    { text: '𝖠 𝖡', file: more },
    { text: 'b', file: null },
  ])
  const { text } = await pdfFor(payout.id, account.token)
  assert.ok(text.includes('Żółw 𝖠𝖡 & Sons') && text.includes('𝖢𝖣 Łódź'), text)
  assert.doesNotMatch(text, /\?|also stands for/)
})

test('an account in yen prints on A4 and counts whole units', async () => {
  const account = await anAccount(app, { payoutDelay: 0, defaultCurrency: 'jpy' })
  const partner = await aPayee(app, account)
  const payout = await aPayout(app, account, partner, 4000)
  const { text, size } = await pdfFor(payout.id, account.token)
  assert.deepEqual(size, [595, 842])
  assert.match(text, /Total ¥4,000.*Page 1 of 1/)
  assert.match(text, /Amounts are in JPY/)
})

test('a currency whose sign no font has is printed by its code', async () => {
  const account = await anAccount(app, { payoutDelay: 0, defaultCurrency: 'gel' })
  const payout = await aPayout(app, account, await aPayee(app, account), 40_00)
  const { text } = await pdfFor(payout.id, account.token)
  assert.match(text, /Adjustments 1 entry GEL 40\.00 Total GEL 40\.00/)
  assert.match(text, /Adjustment: .* GEL 40\.00 Total GEL 40\.00/)
  assert.match(text, /Amounts are in GEL/)
  assert.doesNotMatch(text, /also stands for/)
})

test('a payout of thousands of entries is written a sheet at a time', async () => {
  const { payout, account } = await aStory()
  const statement = (await (
    await requestStatement(payout.id, account.token, 'application/json')
  ).json()) as PayoutStatement
  const { body } = expectOk(await app.api('GET', `/payouts/${payout.id}/entries`, { token: account.token }))
  const [entry] = body.items as [CommissionEntryWithSale]
  const printed = printedStatement(statement)
  const how = { timeZone: statement.timeZone, origin: app.services.config.appUrl }
  let taken = 0
  async function* many() {
    for (; taken < 3000; taken += 100) yield Array.from({ length: 100 }, () => statementLine(entry, how))
  }
  for (const form of [renderPage(printed, many()), renderPdf(printed, many(), 'a4')]) {
    taken = 0
    let longest = 0
    let parts = 0
    for await (const part of form) {
      parts += 1
      longest = Math.max(longest, part.length)
      if (parts === 3) assert.ok(taken < 300, `${taken} entries are read before anything is sent`)
    }
    assert.ok(parts >= 30)
    assert.ok(longest < 200_000, `${longest} bytes at once`)
  }
})

test('an entry has a few lines, however long its text is', async () => {
  const { payout, account } = await aStory()
  const statement = (await (
    await requestStatement(payout.id, account.token, 'application/json')
  ).json()) as PayoutStatement
  const { body } = expectOk(await app.api('GET', `/payouts/${payout.id}/entries`, { token: account.token }))
  const [entry] = body.items as [CommissionEntryWithSale]
  const printed = printedStatement(statement)
  const how = { timeZone: statement.timeZone, origin: app.services.config.appUrl }
  const rare = (from: number) =>
    Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(0x391 + ((at * 7 + from) % 900)))
  async function* odd() {
    for (let at = 0; at < 500; at++)
      yield [statementLine({ ...entry, kind: 'earned', saleDescription: rare(at).join('') }, how)]
  }
  let bytes = 0
  for await (const part of renderPdf(printed, odd(), 'a4')) bytes += part.length
  assert.ok(bytes > 200_000 && bytes < 600_000, `${bytes} bytes`)
})
