import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModule } from 'libpg-query'
import { freshDatabase, ownerOf } from '../support/postgres.ts'
import { complaintsAbout, readCatalogue } from './catalogue.ts'
import { askingAnyAccount, complaintsAbout as complaintsAboutStatements } from './fans-out.ts'
import { tablesOfAnyAccount } from './statements.ts'

const db = ownerOf(await freshDatabase())
const catalogue = await readCatalogue(db)
await loadModule()

const asks = (text: string) => tablesOfAnyAccount(text, catalogue)

test('every table is distributed by account, replicated or local, and its keys allow it', () => {
  assert.deepEqual(complaintsAbout(catalogue), [])
})

test('a planted table, key or reference that splits an account is named', async () => {
  const planted = ownerOf(await freshDatabase())
  await planted.run`create table planted (id uuid primary key)`
  await planted.run`alter table leads add column number integer, add unique (number)`
  await planted.run`alter table mails add column lead_id uuid, add column account_id uuid,
    add foreign key (account_id, lead_id) references leads (account_id, id)`
  await planted.run`alter table former_emails alter column account_id drop not null`
  await planted.run`create unique index planted_lead on refunds (id)`
  await planted.run`alter table refunds add column of_id uuid references refunds (id)`
  assert.deepEqual(complaintsAbout(await readCatalogue(planted)), [
    'Say in placement.ts where the rows of planted lie.',
    'account_id of former_emails may be null.',
    'leads_number_key of leads is unique without account_id.',
    'planted_lead of refunds is unique without account_id.',
    'mails_account_id_lead_id_fkey: mails lies in one place and names leads, which lies with its account.',
    'refunds_of_id_fkey of refunds names refunds without account_id.',
  ])
})

test('a statement that names its account stays on one machine', () => {
  for (const text of [
    'select id from leads where account_id = $1 and id = $2',
    'select from leads t join lead_stats s on s.lead_id = t.id and s.account_id = t.account_id where t.account_id = $1',
    'select from sales s join accounts a on a.id = s.account_id where a.id = $1',
    'select t.id from (select l.* from leads l) t where t.account_id = $1',
    'with mine as (select id, account_id from leads where account_id = $1) select from sales s join mine using (account_id)',
    'select from leads l where l.account_id = $1 and exists (select from sales s where s.account_id = l.account_id)',
    'select from leads where (account_id, id) in (select x, y from unnest($1::uuid[], $2::uuid[]) as w (x, y))',
    'insert into leads (id, account_id) select id, account from unnest($1::uuid[], $2::uuid[]) as n (id, account)',
    'insert into clicks (id, account_id) values ($1, $2) on conflict do nothing returning id',
    'update sales set amount = 1 from unnest($1::uuid[]) as v (account_id) where sales.account_id = v.account_id',
    'delete from leads where account_id = any($1::uuid[]) and id = $2',
    `with recursive line as (
      select account_id, id from partners where account_id = $1 and id = $2
      union all select p.account_id, p.id from partners p join line on p.account_id = line.account_id and p.id = line.id
    ) select from line`,
    'select from users where email = $1',
  ])
    assert.deepEqual(asks(text), [], text)
})

test('a statement that names it for only some of its tables is reported with the others', () => {
  const named: [string, ...string[]][] = [
    ['select from leads where id = $1', 'leads'],
    ['select from leads where account_id = $1 or id = $2', 'leads'],
    ['select from leads where account_id <> $1', 'leads'],
    ['select from leads l join sales s on s.lead_id = l.id where l.account_id = $1', 'sales'],
    ['select from leads l where l.account_id = $1 and not exists (select from sales where lead_id = l.id)', 'sales'],
    ['select (select count(*) from refunds) from leads l where l.account_id = $1', 'refunds'],
    ['select from users u where exists (select from leads l where l.account_id = $1 and l.id = u.id)'],
    // a condition inside a subquery does not restrict the query around it
    [
      'select from leads l where exists (select from sales s where s.account_id = l.account_id and s.account_id = $1)',
      'leads',
    ],
    ['insert into leads (id, account_id) select id, account_id from partners where id = $1', 'leads', 'partners'],
    ['insert into leads (id) values ($1)', 'leads'],
    ['update payouts set amount = 1 where id = $1', 'payouts'],
    ['with gone as (delete from clicks_other where at < $1 returning id) select from gone', 'clicks'],
    ['select from leads where account_id = $1 union all select from sales', 'sales'],
    ['select from audit join told_events t on t.id = audit.id where audit.account_id = $1', 'events'],
  ]
  for (const [text, ...tables] of named) assert.deepEqual(asks(text), tables, text)
})

test('a planted statement without a reason is reported', () => {
  const text = 'select from leads where email = $1'
  const asking = askingAnyAccount([{ text, from: 'server/planted.ts', isNamed: true, samples: [] }], catalogue)
  assert.deepEqual(complaintsAboutStatements(asking), [
    `server/planted.ts asks for leads of whichever account:\n${text}`,
  ])
})
