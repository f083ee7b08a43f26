import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImportResult, type MappedColumn, MOST_IMPORTED_ROWS } from '#contract/imports.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../test/support/app.ts'
import { processImport } from './run-import.ts'

const DAY = 86_400_000
const clock = turnableClock('2026-03-10T12:00:00Z')
const app = await startApp({ clock })

type Body = {
  kind?: string
  csv: string
  mapping?: MappedColumn[]
  dryRun?: boolean
  format?: string
  sendInvitations?: boolean
}

const start = (account: TestAccount, { kind = 'leads', dryRun = false, ...body }: Body) =>
  app.api('POST', `/accounts/${account.id}/imports`, { token: account.token, body: { kind, dryRun, ...body } })

/** Runs an import to its end. */
async function imported(account: TestAccount, body: Body): Promise<ImportResult> {
  const { id } = expectOk(await start(account, body)).body
  return finished(account, id)
}

async function finished(account: TestAccount, id: string): Promise<ImportResult> {
  for (;;) {
    await processImport(app.services, { importId: id })
    const { body } = expectOk(await app.api('GET', `/imports/${id}`, { token: account.token }))
    if (!['waiting', 'running', 'undoing'].includes(body.state)) return body
  }
}

const leadsOf = async (account: TestAccount) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/leads?limit=100&sort=createdAt`, { token: account.token }))
    .body

test('rows become leads of their partners; errors are reported row by row and returned as a file', async () => {
  const account = await anAccount(app)
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const csv = [
    '\ufeffEmail;First Name;Firma;Code;Phone',
    'ada@brightline.example;Ada;Brightline;JANE;+1 212 555 0101',
    'ADA@brightline.example;Ada;;jane;',
    ';Bo;;jane;12',
    'cy@brightline.example;"Cy; ""the"" man";;nobody;',
    "'=dee@brightline.example;Dee;;;",
    'eve@brightline.example;Eve;;;;;',
    'fay@brightline.example;Fay;;;;surplus',
    '',
  ].join('\r\n')
  const dry = await imported(account, { csv, dryRun: true })
  assert.deepEqual([dry.total, dry.done, dry.created, dry.skipped, dry.failed], [7, 7, 2, 1, 4])
  assert.equal((await leadsOf(account)).total, 0)

  const done = await imported(account, { csv })
  assert.deepEqual([done.state, done.created, done.skipped, done.failed], ['done', 2, 1, 4])
  assert.deepEqual(done.errors, dry.errors)
  assert.deepEqual(done.skips, [{ row: 3, message: 'Same as row 2.' }])
  assert.deepEqual(
    done.errors.map(({ row, field }) => [row, field]),
    [
      [4, 'phone'],
      [5, 'referralCode'],
      [6, 'email'],
      [8, null],
    ],
  )
  const { items } = await leadsOf(account)
  assert.deepEqual(
    items.map((lead: Record<string, unknown>) => [lead.email, lead.partnerId, lead.source]),
    [
      ['ada@brightline.example', jane.id, 'import'],
      ['eve@brightline.example', null, 'import'],
    ],
  )
  const submitted = expectOk(await app.api('GET', `/leads/${items[0].id}/submissions`, { token: account.token })).body
    .items
  assert.deepEqual(
    submitted.map(({ source, body }: { source: string; body: object }) => [source, body]),
    [
      [
        'import',
        {
          email: 'ada@brightline.example',
          firstName: 'Ada',
          referralCode: 'JANE',
          phone: '+1 212 555 0101',
        },
      ],
    ],
  )
  const errors = await app.api('GET', `/imports/${done.id}/errors`, { token: account.token })
  const lines = errors.body.trim().split('\r\n')
  assert.equal(lines.length, 5)
  assert.match(lines[2]!, /^"cy@brightline.example","Cy; ""the"" man","","nobody","","5","referralCode",/)
  assert.match(lines[3]!, /^"'=dee@/, 'a formula stays harmless')
})

test('importing the same file again changes nothing; a custom mapping is remembered by the file’s columns', async () => {
  const account = await anAccount(app)
  const csv = `who,named\n${anEmail('again')},Again\n`
  assert.equal((await start(account, { csv })).body.error.reason, 'import_unmapped')
  const mapping: MappedColumn[] = [
    { field: 'email', column: 'who', transform: 'none', default: null },
    { field: 'lastName', column: 'named', transform: 'none', default: null },
    { field: 'company', column: null, transform: 'constant', default: 'Acme' },
  ]
  assert.equal((await imported(account, { csv, mapping })).created, 1)
  assert.equal((await imported(account, { csv, mapping })).skipped, 1)
  const preview = await app.api('POST', `/accounts/${account.id}/imports/preview`, {
    token: account.token,
    body: { csv, kind: 'leads' },
  })
  assert.deepEqual([preview.body.confidence, preview.body.mapping], ['saved', mapping])
  assert.deepEqual(
    (await leadsOf(account)).items.map((lead: { company: string }) => lead.company),
    ['Acme'],
  )
})

test('an import that dies between two batches resumes there; two workers process each row once', async () => {
  const account = await anAccount(app)
  const rows = Array.from({ length: 350 }, (_, at) => `p${at}@many.example,Person ${at}`)
  const { id } = expectOk(await start(account, { csv: ['email,first name', ...rows].join('\n') })).body
  await Promise.all([
    processImport(app.services, { importId: id }),
    processImport(app.services, { importId: id }),
    processImport(app.services, { importId: id }),
  ])
  const done = await finished(account, id)
  assert.deepEqual([done.state, done.total, done.done, done.created], ['done', 350, 350, 350])
  assert.equal((await leadsOf(account)).total, 350)
})

test('an import of many turns takes each row once, also beside another one, and after a turn that failed', async (t) => {
  const accounts = [await anAccount(app), await anAccount(app)]
  const files = accounts.map((_, file) =>
    Array.from({ length: 900 }, (_, at) => (at % 300 === 299 ? 'nobody' : `t${file}-${at}@turns.example,Person ${at}`)),
  )
  const ids: string[] = []
  for (const [at, account] of accounts.entries())
    ids.push(expectOk(await start(account, { csv: ['email,first name', ...files[at]!].join('\n') })).body.id)
  // each batch takes a whole turn
  let now = 0
  t.mock.method(performance, 'now', () => (now += 10_000))
  const isUnderWay = async (at: number) =>
    (await app.api('GET', `/imports/${ids[at]}`, { token: accounts[at]!.token })).body.state !== 'done'
  const turn = (at: number, services = app.services) => processImport(services, { importId: ids[at]! })
  await turn(0)
  await turn(0)
  const { db } = app.services
  const failing = {
    ...db,
    pool: { ...db.pool, connect: () => Promise.reject(new Error('away')) },
  } as unknown as typeof db
  await assert.rejects(turn(0, { ...app.services, db: failing }))
  let turns = 0
  for (; (await isUnderWay(0)) || (await isUnderWay(1)); turns++) for (const at of [1, 0, 0]) await turn(at)
  assert.ok(turns > 3, `${turns} turns`)
  t.mock.restoreAll()
  for (const [at, account] of accounts.entries()) {
    const done = await finished(account, ids[at]!)
    assert.deepEqual([done.state, done.total, done.created, done.failed], ['done', 900, 897, 3])
    assert.equal((await leadsOf(account)).total, 897)
  }
})

test('one import runs at a time; a canceled one keeps what it created, which an undo removes', async () => {
  const account = await anAccount(app)
  const csv = ['email', ...Array.from({ length: 120 }, (_, at) => `c${at}@many.example`)].join('\n')
  const first = expectOk(await start(account, { csv })).body
  const second = await start(account, { csv })
  assert.deepEqual([second.status, second.body.error.details], [409, { importId: first.id }])
  expectOk(await app.api('POST', `/imports/${first.id}/cancel`, { token: account.token }))
  assert.equal((await finished(account, first.id)).state, 'canceled')

  const done = await imported(account, { csv })
  assert.equal(done.created, 120)
  assert.equal(Date.parse(done.undoableUntil!) - Date.parse(done.finishedAt!), DAY)
  const undoing = await app.api('POST', `/imports/${done.id}/undo`, { token: account.token })
  assert.deepEqual([undoing.status, undoing.body.state], [202, 'undoing'])
  const undone = await finished(account, done.id)
  assert.deepEqual([undone.state, undone.undoableUntil, undone.undone], ['undone', null, 120])
  assert.equal((await leadsOf(account)).total, 0)
  assert.equal(
    (await app.api('POST', `/imports/${done.id}/undo`, { token: account.token })).body.error.code,
    'invalid_state',
  )
})

test('rows that a sale depends on are not undone, as the import reports; after a day nothing can be undone', async () => {
  const account = await anAccount(app)
  const done = await imported(account, { csv: 'email\nkept@sold.example\n' })
  const [lead] = (await leadsOf(account)).items
  expectOk(await app.api('POST', `/leads/${lead.id}/sales`, { token: account.token, body: { amount: 100_00 } }))
  expectOk(await app.api('POST', `/imports/${done.id}/undo`, { token: account.token }))
  const after = await finished(account, done.id)
  assert.equal(after.state, 'done')
  assert.match(after.reason!, /^The import couldn’t be undone completely: /)
  assert.deepEqual([after.created, after.undone], [1, 0])
  const late = await imported(account, { csv: 'email\nlate@sold.example\n' })
  clock.advance(DAY)
  const { token } = await signIn(app, account.ownerEmail)
  assert.equal((await app.api('POST', `/imports/${late.id}/undo`, { token })).body.error.reason, 'import_not_undoable')
})

test('an interrupted undo reports how much it removed, and resumes there', async () => {
  const account = await anAccount(app)
  const csv = ['email', ...Array.from({ length: 120 }, (_, at) => `c${at}@part.example`)].join('\n')
  const done = await imported(account, { csv })
  assert.equal(done.undone, 0)
  const undo = async () => {
    expectOk(await app.api('POST', `/imports/${done.id}/undo`, { token: account.token }))
    const { state, created, undone } = await finished(account, done.id)
    return [state, created, undone, (await leadsOf(account)).total]
  }
  // objects created first are undone last
  const search = await app.api('GET', `/accounts/${account.id}/leads?search=c0@part.example`, { token: account.token })
  const [first] = expectOk(search).body.items
  expectOk(await app.api('POST', `/leads/${first.id}/sales`, { token: account.token, body: { amount: 100_00 } }))
  assert.deepEqual(await undo(), ['done', 120, 100, 20])
  assert.deepEqual(await undo(), ['done', 120, 100, 20])
})

test('partners are invited on request, with links to pass on, which an undo removes', async () => {
  const account = await anAccount(app)
  const other = await anAccount(app)
  const known = await aPartner(app, other, { email: 'nia@links.example' }, { signIn: true })
  const csv = `email,first name,last name\nkit@links.example,Kit,Low\n${known.email},Nia,\nbad@,,\n`
  const dry = await imported(account, { kind: 'partners', csv, dryRun: true, sendInvitations: true })
  assert.deepEqual([dry.created, dry.failed, dry.invitations], [2, 1, []])

  const done = await imported(account, { kind: 'partners', csv, sendInvitations: true })
  const [kit, nia] = done.invitations
  assert.equal(done.invitations.length, 2)
  assert.match(kit!.url!, /\/user-setup#token=/)
  assert.deepEqual([kit!.displayName, kit!.email], ['Kit Low', 'kit@links.example'])
  // a person known to another account gets the link by mail alone
  assert.deepEqual([nia!.displayName, nia!.email, nia!.url], ['Nia', known.email, null])
  const invitation = await app.api('GET', `/partners/${kit!.partnerId}/invitation`, { token: account.token })
  assert.equal(expectOk(invitation).body.url, kit!.url)

  expectOk(await app.api('POST', `/imports/${done.id}/undo`, { token: account.token }))
  const undone = await finished(account, done.id)
  assert.deepEqual([undone.state, undone.invitations], ['undone', []])

  const silent = await imported(account, { kind: 'partners', csv })
  assert.deepEqual([silent.created, silent.invitations], [2, []])
})

test('invalid files are refused with what to do', async () => {
  const account = await anAccount(app)
  const reasonOf = async (csv: string, more: Partial<Body> = {}) =>
    (await start(account, { csv, ...more })).body.error.reason
  assert.equal(await reasonOf('PK\u0003\u0004\u0000'), 'import_not_text')
  assert.equal(await reasonOf('email\ncaf\ufffd@b.example'), 'import_not_unicode')
  assert.equal(await reasonOf('\n\n'), 'import_without_header')
  assert.equal(await reasonOf(Array.from({ length: 400 }, (_, at) => `c${at}`).join(',')), 'import_too_wide')
  assert.equal(await reasonOf('email\na@b.example', { format: 'nobody' }), 'import_format_unknown')
  const column = { field: 'email', column: 'mail', transform: 'none', default: null } as const
  assert.equal(await reasonOf('email\na@b.example', { mapping: [column] }), 'import_column_unknown')
  const open = await imported(account, { csv: 'email,name\na@b.example,"never closed\n'.padEnd(500, 'xx\n') })
  assert.equal(open.state, 'failed')
  assert.match(open.reason!, /^The file can’t be read to the end: /)
})

test('a file of too many rows fails before any is imported', async () => {
  const account = await anAccount(app)
  const long = await imported(account, { kind: 'partners', csv: `email\n${'x\n'.repeat(MOST_IMPORTED_ROWS + 1)}` })
  assert.deepEqual([long.state, long.done], ['failed', 0])
  assert.equal(long.reason, 'The file has more than 300,000 rows. Import it in parts.')
})

test('a person who loses the right meanwhile imports nothing more', async () => {
  const account = await anAccount(app)
  const { id } = expectOk(await start(account, { csv: 'email\nnone@demoted.example\n' })).body
  const become = (role: string) =>
    app.services.db.run`update user_roles set type = ${`account-${role}`} where account_id = ${account.id}`
  await become('finance')
  await processImport(app.services, { importId: id })
  await become('owner')
  const { state, created, reason } = await finished(account, id)
  assert.deepEqual([state, created], ['canceled', 0])
  assert.equal(reason, 'The person who started it may no longer import this.')
})

test('disabling an account cancels its import', async () => {
  const account = await anAccount(app)
  const { id } = expectOk(await start(account, { csv: 'email\nnone@disabled.example\n' })).body
  expectOk(
    await app.api('POST', `/accounts/${account.id}/disable`, { token: account.admin, body: { reason: 'unpaid' } }),
  )
  await processImport(app.services, { importId: id })
  expectOk(await app.api('POST', `/accounts/${account.id}/enable`, { token: account.admin }))
  assert.equal((await finished(account, id)).state, 'canceled')
})
