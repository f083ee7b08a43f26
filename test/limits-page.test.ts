import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { z } from 'zod'
import { MOST_JOURNAL_DAYS } from '#contract/accounting.ts'
import { REQUIRED_AFTER_DAYS } from '#contract/agreement.ts'
import { MOST_DECIDED, MOST_QUESTIONS, MOST_SLUGS } from '#contract/applications.ts'
import { MOST_PREFERENCES, NewPassword } from '#contract/auth.ts'
import { MOST_IN_BULK } from '#contract/bulk-actions.ts'
import { apiLimit, publicLimit } from '#contract/endpoint.ts'
import { MOST_CUSTOMER_GROUPS, MOST_GOALS, MOST_GROUPS } from '#contract/groups.ts'
import { MOST_IMPORTED_ROWS, MOST_INVITATIONS } from '#contract/imports.ts'
import { endpoints } from '#contract/index.ts'
import { MOST_ZIPPED_DAYS, MOST_ZIPPED_INVOICES } from '#contract/invoices.ts'
import { listLeads } from '#contract/leads.ts'
import { MOST_HEADERS } from '#contract/outgoing-webhooks.ts'
import { createPartners, MOST_MOVED } from '#contract/partners.ts'
import { LONGEST_FILE, MOST_IN_FILE, MOST_RESULTS } from '#contract/payment-files.ts'
import { MOST_APPROVED, MOST_MARKED } from '#contract/payouts.ts'
import { PICTURE_BYTES, PICTURE_SIDE, PICTURES_BYTES } from '#contract/pictures.ts'
import { refusals } from '#contract/refusals.ts'
import { MOST_LINES, pushSales } from '#contract/sales.ts'
import { MOST_BYTES_OF_TERMS } from '#contract/terms.ts'
import { MAX_AMOUNT } from '#contract/values.ts'
import { PER_ACCOUNT, SENT } from '#features/embed/server/routes.ts'
import { PER_WEBHOOK, MAX_BYTES as WEBHOOK_BYTES } from '../server/integrations/incoming-webhooks/receive.ts'
import { MOST_INCOMING_WEBHOOKS } from '../server/integrations/incoming-webhooks/webhooks.ts'
import { OFF_AT, WAITS_MS } from '../server/integrations/outgoing-webhooks/schedule.ts'
import { MOST_OUTGOING_WEBHOOKS } from '../server/integrations/outgoing-webhooks/webhooks.ts'
import { CONSENT_FOR_MS } from '../server/integrations/payment-providers/oauth.ts'
import { MOST_COLUMNS } from '../server/platform/csv/read-csv.ts'
import { MAX_ESCAPES, MAX_NAME_BYTES, MAX_VALUES } from '../server/platform/http/body-shape.ts'
import type { NamedLimit } from '../server/platform/http/limits.ts'
import { LARGE_BYTES, MOST_LARGE } from '../server/program/access/route.ts'
import { PAGES, POSTS } from '../server/program/applications/page-routes.ts'
import { PARTNER_SENDINGS_A_DAY, SENDINGS_A_DAY, VALID_FOR } from '../server/program/auth/invitations.ts'
import { RESET_FOR, SIGN_IN_FOR } from '../server/program/auth/link-requests.ts'
import { INVITATIONS_A_DAY, MOST_MEMBERS } from '../server/program/auth/members.ts'
import { MOST_PASSKEYS } from '../server/program/auth/second-factor/passkeys.ts'
import { ABSOLUTE, ACCESS, IDLE, MOST_SESSIONS } from '../server/program/auth/sessions.ts'
import { MOST_TOKENS } from '../server/program/auth/user-tokens.ts'
import { VISITS } from '../server/program/clicks/redirect.ts'
import { MOST_GIVEN_UP } from '../server/program/custom-domains/change-host.ts'
import { MAX_OWN_LINKS } from '../server/program/links/own-links.ts'
import { MAX_DEPTH } from '../server/program/partners/tree.ts'
import { COOL_OFF_HOURS } from '../server/program/payouts/blockers.ts'
import { HOURS_BEFORE_LOOSER } from '../server/program/payouts/limits.ts'
import { LASTS, LINK_LASTS, MOST_PORTALS } from '../server/program/portal/sessions.ts'
import { MAX_TOTAL } from '../server/program/stats/count.ts'
import { root } from './support/docs-commands.ts'
import { taken, textsIn } from './support/outside-texts.ts'
import { type Limit, limitNames, limitsOfFeatures } from './support/sweep.ts'

// docs/limits.md is written from the constants and the contract that the product itself uses.

type Row = readonly [words: string, most: string, ...refusals: (keyof typeof refusals)[]]

const number = (value: number) => value.toLocaleString('en-US')
const bytes = (value: number) => (value < 1e6 ? `${number(value / 1000)} kB` : `${number(value / 1e6)} MB`)
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const
function time(ms: number) {
  const [unit, length] = units.find(([, length]) => ms % length === 0 && ms >= length)!
  return `${ms / length} ${unit}${ms === length ? '' : 's'}`
}

/** The body that a call accepts unless it declares another limit. */
const BODY_BYTES = 256_000
const bodyOf = (name: string) => bytes(endpoints.find((call) => call.name === name)!.maxBytes ?? BODY_BYTES)

const everyIssue = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flatMap(everyIssue) : issue))

const limitOf = (code: 'too_big' | 'too_small') => (schema: z.ZodType | undefined, wrong: unknown) =>
  everyIssue(schema!.safeParse(wrong).error!.issues).flatMap((issue) =>
    issue.code !== code ? [] : String('maximum' in issue ? issue.maximum : (issue as z.core.$ZodIssueTooSmall).minimum),
  )[0]!
/** Return the limit that a schema names when it refuses this value. */
const [maximumOf, minimumOf] = [limitOf('too_big'), limitOf('too_small')]

/** Returns the rows of features in one of the tables. */
const ofFeatures = (table: Limit['table']): Row[] =>
  limitsOfFeatures.flatMap((one) => (one.table === table ? [[...one.row, ...(one.refusals ?? [])]] : []))

const have: Row[] = [
  ['people of an account, and of one partner', `${MOST_MEMBERS.team}, ${MOST_MEMBERS.partner}`, 'too_many_members'],
  ['levels of partners below each other', number(MAX_DEPTH), 'too_many_layers'],
  ['links of a partner’s own', number(MAX_OWN_LINKS), 'too_many_links'],
  ['groups, and goals of one group', `${MOST_GROUPS}, ${MOST_GOALS}`, 'too_many_groups', 'too_many_goals'],
  ['groups for customers', `${MOST_CUSTOMER_GROUPS}`, 'too_many_customer_groups'],
  ['pictures of all assets together', bytes(PICTURES_BYTES), 'storage_full'],
  ['addresses that a program page has ever had', number(MOST_SLUGS), 'too_many_slugs'],
  ['questions of an application', number(MOST_QUESTIONS)],
  ['domains given up for another', number(MOST_GIVEN_UP), 'too_many_hosts'],
  [
    'incoming webhooks, outgoing webhooks',
    `${MOST_INCOMING_WEBHOOKS}, ${MOST_OUTGOING_WEBHOOKS}`,
    'too_many_incoming_webhooks',
    'too_many_outgoing_webhooks',
  ],
  ['headers of an outgoing webhook', number(MOST_HEADERS)],
  [
    'sessions, passkeys and access tokens of a person',
    `${MOST_SESSIONS}, ${MOST_PASSKEYS}, ${MOST_TOKENS}`,
    'too_many_passkeys',
    'too_many_user_tokens',
  ],
  ['settings of lists and columns that a person keeps', `${number(MOST_PREFERENCES)} bytes`, 'preferences_too_large'],
  ['portal sessions of a partner; a new one ends the oldest', number(MOST_PORTALS)],
  ...ofFeatures('have'),
]

const atOnce: Row[] = [
  [
    'rows of a push, and partners of one call',
    `${maximumOf(pushSales.body, Array(1000).fill({}))}, ${maximumOf(createPartners.body, { partners: Array(1000).fill({}) })}`,
  ],
  ['rows of a page of a list', maximumOf(listLeads.query, { limit: '1000' })],
  ['invitations of one import of partners', number(MOST_INVITATIONS)],
  ['rows of an action on many', number(MOST_IN_BULK)],
  ['partners moved to a group in one call', number(MOST_MOVED)],
  ['applications decided in one call', number(MOST_DECIDED)],
  ['payouts approved, and marked as paid, in one call', `${MOST_APPROVED}, ${MOST_MARKED}`],
  ['payouts of a payment file', number(MOST_IN_FILE)],
  ['rows of results of payments', number(MOST_RESULTS), 'results_too_many'],
  ['lines of a sale', number(MOST_LINES)],
  ['terms: all rules together', `${number(MOST_BYTES_OF_TERMS)} bytes`, 'terms_too_large'],
  ['an amount, in minor units', number(MAX_AMOUNT)],
  ['a total of an account, in minor units', number(MAX_TOTAL), 'total_too_large'],
  ['days of a journal', number(MOST_JOURNAL_DAYS), 'journal_too_long'],
  ['days of a zip of invoices', number(MOST_ZIPPED_DAYS), 'too_many_days'],
  ['invoices and credit notes of a zip', number(MOST_ZIPPED_INVOICES), 'too_many_documents'],
  ['years of any other range', '10', 'range_too_long'],
  ...ofFeatures('atOnce'),
]

const files: Row[] = [
  ['an import, with its file', bodyOf('createImport')],
  [`imports of ${bytes(LARGE_BYTES)} or more being sent, of a person and of all`, `${MOST_LARGE / 2}, ${MOST_LARGE}`],
  ['columns of the file', number(MOST_COLUMNS), 'import_too_wide'],
  ['rows of the file', number(MOST_IMPORTED_ROWS)],
  ['a logo', bytes(PICTURE_BYTES.logo), 'not_a_picture'],
  ['a cover picture', bytes(PICTURE_BYTES.cover), 'not_a_picture'],
  ['a picture for partners', bytes(PICTURE_BYTES.asset), 'picture_too_large'],
  ['pixels of a picture’s side', number(PICTURE_SIDE)],
  ['a bank’s report', bytes(LONGEST_FILE)],
  ['a push', bodyOf('pushSales')],
  ['the body of any other call', bytes(BODY_BYTES)],
  ['fields and items in a body; more where a call takes many rows', number(MAX_VALUES), 'too_many_values'],
  ['a field’s name in a body', bytes(MAX_NAME_BYTES), 'field_name_too_long'],
  ['escaped characters of a body', number(MAX_ESCAPES), 'too_many_escapes'],
  ['characters of a password', `${minimumOf(NewPassword, '')} to ${maximumOf(NewPassword, 'x'.repeat(1e4))}`],
  ['the body sent to an incoming webhook', bytes(WEBHOOK_BYTES)],
]

const times: Row[] = [
  ['an invitation can be accepted for', time(VALID_FOR)],
  ['a link to set a new password works for', time(RESET_FOR)],
  ['a link to sign in works for', time(SIGN_IN_FOR)],
  ['emails of one invitation a day, and of all of a partner’s', `${SENDINGS_A_DAY}, ${PARTNER_SENDINGS_A_DAY}`],
  ['people invited to a team, or to a partner, a day', number(INVITATIONS_A_DAY)],
  ['a session ends unused after, and in any case after', `${time(IDLE)}, ${time(ABSOLUTE)}`],
  ['an access token of a session works for', time(ACCESS)],
  ['a portal works for; its link can be opened for', `${time(LASTS)}, ${time(LINK_LASTS)}`],
  ['connecting a payment provider may take', time(CONSENT_FOR_MS)],
  ['automatic payouts pause after new payout details for', `${COOL_OFF_HOURS} hours`],
  ['a higher limit per payout comes into force after', `${HOURS_BEFORE_LOOSER} hours`],
  ['payouts may wait for a new agreement after, at the earliest', `${REQUIRED_AFTER_DAYS} days`],
  ['a webhook is sent again up to, over about three days', `${WAITS_MS.length} times`],
  ['a webhook is turned off after', `${OFF_AT} failed attempts in a row`],
  ...ofFeatures('times'),
]

/** Refusals whose limit is an account’s own setting. */
const ofSettings = ['click_too_old']

const by = {
  network: 'network',
  token: 'key or session',
  user: 'person',
  subject: 'partner',
  account: 'account',
} as const
const labels: Record<string, string> = {
  csv: 'downloads of CSV files and of a person’s file, and exports of an account',
  statement: 'statements and invoices',
  'payout-form': 'the form for payout details',
  ...limitNames,
  'webhook-test': 'test events to a webhook',
  'mail-test': 'test emails',
  'bulk-action': 'actions on many',
}

function calls(): string[] {
  const groups = Map.groupBy(
    endpoints.filter(({ limit }) => limit.name !== apiLimit.name && limit !== publicLimit),
    ({ limit }) => `${limit.name ?? ''} ${limit.perMinute} ${limit.by}`,
  )
  const declared = [...groups.values()].map((group) => {
    const { name, perMinute, by: key } = group[0]!.limit
    const paths = group.map(({ method, path }) => `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``)
    const words = name ? labels[name] : [...new Set(paths)].join(', ')
    assert.ok(words, `a name for the limit ${name}`)
    return `| ${words} | ${number(perMinute)} | ${by[key]} |`
  })
  const besides = (
    [
      ['visits of links', VISITS],
      ['views of a program page', PAGES],
      ['applications sent', POSTS],
      ['leads and clicks from pages with the embed script, from one visitor', SENT],
      ['leads and clicks from pages with the embed script, of one account', PER_ACCOUNT],
      ['deliveries to one incoming webhook', PER_WEBHOOK],
    ] as [string, NamedLimit][]
  ).map(
    ([words, { perMinute, by: key }]) =>
      `| ${words} | ${number(perMinute)} | ${{ ...by, account: 'account', connection: 'webhook', everyone: 'server' }[key]} |`,
  )
  return [
    `| any call that isn’t listed here | ${apiLimit.perMinute} | ${by[apiLimit.by]} |`,
    `| a call that needs no sign-in | ${publicLimit.perMinute} | ${by[publicLimit.by]} |`,
    ...declared.toSorted(),
    ...besides,
  ]
}

/** The calls whose texts people write. */
const written: [string, string][] = [
  ['a partner', 'createPartner'],
  ['a lead', 'a pushed lead'],
  ['a sale', 'a pushed sale'],
  ['a refund', 'a pushed refund'],
  ['a link', 'createLinkBlueprint'],
  ['a partner’s own link', 'createPartnerLink'],
  ['a note to a lead', 'addLeadNote'],
  ['terms', 'changeAccountTerms'],
  ['a group', 'changeGroup'],
  ['a goal', 'createGoal'],
  ['a program page', 'saveProgram'],
  ['an application', 'createApplication'],
  ['an agreement', 'publishAgreement'],
  ['an adjustment', 'adjustBalance'],
  ['an outgoing webhook', 'createOutgoingWebhook'],
  ['an incoming webhook', 'createIncomingWebhook'],
  ['an account', 'createAccount'],
  ...ofFeatures('written').map(([words, call]): [string, string] => [words, call]),
]
/** Shorter than what people write: codes, days, currencies; longer: files. */
const isWritten = ([path, most]: readonly [string, number | null]) =>
  most !== null &&
  most > 20 &&
  most < 200_000 &&
  most !== 64 &&
  !/(At|Date|image|code|allowedIps\[\]|partnerId|sort)$|^(filter|currentPassword)/.test(path)

function texts(): string[] {
  return written.map(([words, name]) => {
    const [, schema] = taken.find(([taken]) => taken === name)!
    const fields = textsIn(schema, '')
      .map(([path, most]) => [path.replace(/^\./, ''), most] as const)
      .filter(isWritten)
    assert.ok(fields.length > 0, name)
    const shown = [...new Map(fields)].map(
      ([path, most]) =>
        `\`${path
          .replaceAll(/^terms\.|when\./g, '')
          .replace('{key}', ' (name)')
          .replace('{}', ' (value)')}\` ${number(most!)}`,
    )
    return `| ${words} | ${shown.join(', ')} |`
  })
}

test('docs/limits.md has every limit, as the product enforces it', async () => {
  const file = join(root, 'docs/limits.md')
  const doc = await readFile(file, 'utf8')
  const twoColumns = (rows: Row[]) => rows.map(([words, most]) => `| ${words} | ${most} |`)
  const tables: Record<string, string[]> = {
    'What an account can have': ['| limit | most |', '|---|---|', ...twoColumns(have)],
    'At once': ['| limit | most |', '|---|---|', ...twoColumns(atOnce)],
    'Files and requests': ['| limit | most |', '|---|---|', ...twoColumns(files)],
    'Calls in a minute': ['| calls | a minute | by |', '|---|---|---|', ...calls()],
    Times: ['| limit | |', '|---|---|', ...twoColumns(times)],
    Texts: ['| of | characters |', '|---|---|', ...texts()],
  }
  const missing = new Set(Object.keys(tables))
  const generated = doc
    .split(/^(?=## )/m)
    .map((section) => {
      const [heading, ...lines] = section.trimEnd().split('\n')
      const table = tables[heading!.slice(3)]
      if (!table) return section.trimEnd()
      missing.delete(heading!.slice(3))
      const prose = lines
        .filter((line) => !line.startsWith('|'))
        .join('\n')
        .trim()
      return [heading, ...(prose ? [prose] : []), table.join('\n')].join('\n\n')
    })
    .join('\n\n')
    .concat('\n')
  assert.deepEqual([...missing], [])
  if (process.env.UPDATE_DOCS) await writeFile(file, generated)
  else assert.equal(doc, generated, 'UPDATE_DOCS=1 node --test test/limits-page.test.ts writes the tables')
})

test('every refusal that names a maximum has a row in docs/limits.md', () => {
  const named = Object.entries(refusals).flatMap(([reason, [, sentence]]) =>
    /\{\{(max|size|days)\}\}|at most [\d,]+|[\d,]+ years/.test(sentence) ? reason : [],
  )
  const listed = [have, atOnce, files, times].flat().flatMap(([, , ...reasons]) => reasons as string[])
  assert.deepEqual(
    named.filter((reason) => !listed.includes(reason) && !ofSettings.includes(reason)),
    [],
  )
})
