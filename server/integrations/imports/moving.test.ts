import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { marked, type Tokens } from 'marked'
import type { ImportPreview, ImportResult } from '#contract/imports.ts'
import { type OldProgram, oldPrograms } from '#contract/old-links.ts'
import { embeddedBy } from '#features/embed/server/queries.ts'
import { readArrival } from '../../../embed/address.ts'
import { anAccount, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aBlueprint, BROWSER } from '../../../test/support/links.ts'
import { codeIn } from './code-in.ts'
import { formats } from './known-formats.ts'
import { processImport } from './run-import.ts'

// Imports the examples of docs/moving and follows their old links.

const app = await startApp()

const call = async ({ token }: TestAccount, method: string, path: string, body?: unknown) =>
  expectOk(await app.api(method, path, { token, body })).body

async function imported(account: TestAccount, body: Record<string, unknown>): Promise<ImportResult> {
  const { id } = await call(account, 'POST', `/accounts/${account.id}/imports`, { dryRun: false, ...body })
  await processImport(app.services, { importId: id })
  return call(account, 'GET', `/imports/${id}`)
}

const SITE = 'https://acme.com'
const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))

/** Returns the e-mail of the partner credited for a visit of this address. */
async function creditedFor(account: TestAccount, page: string): Promise<string | undefined> {
  const { publicId } = await call(account, 'GET', `/accounts/${account.id}`)
  const { parameters } = (await embeddedBy(app.services.db, { accountId: account.id }))!
  const arrival = readArrival(page, parameters)
  if (!arrival) return undefined
  const { clickId } = expectOk(
    await app.api('POST', `/embed/${publicId}/clicks`, {
      body: { referralCode: arrival.codes[0], pageUrl: page },
      headers: { origin: SITE, 'user-agent': BROWSER },
    }),
  ).body
  const found = await app.services.db.maybe<{ email: string }>`
    select p.email from clicks c join partners p on p.id = c.partner_id
    where c.id = ${clickId} and c.blueprint_id is not null`
  return found?.email
}

/** The codes in the partners' old links, in the order of the example's rows; none if its file has no codes. */
const oldCodes: Record<OldProgram, string[][]> = {
  dub: [['jane', 'JANE-W'], []],
  rewardful: [['jane'], ['Sam_O']],
  firstpromoter: [['jane'], ['sam.o']],
  tapfiliate: [['jane'], ['Sam_O']],
  partnerstack: [['jane'], ['Sam_O']],
  tolt: [['jane'], ['sam', 's.o']],
  'post-affiliate-pro': [
    ['jane', '11111111'],
    ['Sam_O', 'a1b2c3d4'],
  ],
  goaffpro: [['jane'], []],
  uppromote: [['jane'], []],
  affiliatewp: [['jane', '7'], []],
  referralcandy: [[], []],
}

for (const [format, { name, parameter }] of Object.entries(oldPrograms))
  test(`an account moves from ${name} as its page says, and its old links credit their partners`, async () => {
    const page = await readFile(new URL(`../../../docs/moving/${format}.md`, import.meta.url), 'utf8')
    const blocks = marked.lexer(page).filter((token): token is Tokens.Code => token.type === 'code')
    assert.deepEqual(page.match(/(?<=acme\.com\/\?)\w+(?==jane`)/)?.[0] ?? null, parameter)
    assert.equal(page.includes(`Choose **${name}** under **Moving From**`), parameter !== null)

    const kinds = new Set(formats.filter((one) => one.format === format).map(({ kind }) => kind))
    const documentedKinds = new Set(
      page.split('\n').flatMap((line) => line.match(/^\|.*?\| ([^|]*)\|/)?.[1]?.match(/\w+/g) ?? []),
    )
    for (const kind of ['partners', 'leads', 'sales', 'payouts'] as const)
      assert.equal(documentedKinds.has(kind), kinds.has(kind), kind)

    const account = await anAccount(app)
    await call(account, 'PUT', `/accounts/${account.id}/embed-code`, { config })
    await aBlueprint(app, account, { destinationUrl: SITE, parameterName: 'partner' })
    assert.equal(blocks.length, 1)
    const csv = blocks[0]!.text
    const preview: ImportPreview = await call(account, 'POST', `/accounts/${account.id}/imports/preview`, { csv })
    assert.deepEqual([preview.format, preview.kind], [format, 'partners'])
    const { kind, mapping } = preview
    const done = await imported(account, { csv, kind, format, mapping })
    assert.deepEqual([done.created, done.failed, done.errors], [2, 0, []])

    const oldLinkParameters = [parameter ?? 'gone']
    await call(account, 'PATCH', `/accounts/${account.id}`, { oldLinkParameters })
    const people = ['jane@whitfield.example', 'sam@ortiz.example']
    for (const [at, codes] of oldCodes[format as OldProgram].entries())
      for (const code of codes) {
        const link = `${SITE}/pricing?${oldLinkParameters[0]}=${encodeURIComponent(code)}`
        assert.equal(await creditedFor(account, link), people[at], link)
      }
  })

test('programs to move from are those whose files are known, by the same names', () => {
  const known = Object.fromEntries(formats.map(({ format, name }) => [format, name]))
  assert.deepEqual(known, Object.fromEntries(Object.entries(oldPrograms).map(([format, { name }]) => [format, name])))
})

test('a link is read for its code: a known parameter, the only one, or the end of its path', () => {
  const codes: [string, string][] = [
    ['jane', 'jane'],
    ['https://acme.com/?utm_source=x&fpr=jane&page=2', 'jane'],
    ['https://acme.com/pricing?special=5.abC', '5.abC'],
    ['https://go.acme.com/jane%20d', 'jane d'],
    ['https://go.acme.com/%', '%'],
    ['https://acme.com/a?x=1&y=2', 'a'],
    ['https://acme.com', ''],
  ]
  for (const [cell, code] of codes) assert.equal(codeIn(cell), code, cell)
})

test('a file’s codes that can’t be a partner’s own become earlier ones; one that another partner has is refused', async () => {
  const account = await anAccount(app)
  const csv = [
    'email,referral code,earlier codes',
    'a@x.example,Ann_B,"ab; Ann_b | https://acme.com/?via=ann"',
    'b@x.example,bo-key,',
    'c@x.example,,ANN',
    'd@x.example,admin,',
    `e@x.example,,${'y'.repeat(101)}`,
  ].join('\n')
  const done = await imported(account, { kind: 'partners', csv })
  assert.deepEqual(
    done.errors.map(({ row, field }) => [row, field]),
    [
      [4, 'earlierCodes'],
      [5, 'referralCode'],
      [6, 'earlierCodes.0'],
    ],
  )
  const { items } = await call(account, 'GET', `/accounts/${account.id}/partners?sort=createdAt`)
  assert.deepEqual(
    items.map(({ referralCode, earlierCodes }: Record<string, unknown>) => [referralCode, earlierCodes]),
    [
      ['partner', ['ab', 'ann', 'ann_b']],
      ['bo-key', []],
    ],
  )
})
