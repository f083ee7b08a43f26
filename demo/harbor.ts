import { changeAccount as changeAccountCall } from '#contract/accounts.ts'
import { inviteMember as inviteMemberCall, type NewMember } from '#contract/members.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { TermsRule } from '#contract/terms.ts'
import { createKey } from '#features/api-keys/server/api-keys.ts'
import type { EmbedElement, SelectorType } from '#features/embed/contract.ts'
import { saveEmbedCode } from '#features/embed/server/embed-code.ts'
import { connectProvider } from '../server/integrations/payment-providers/connections.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { changeAccount, createAccount } from '../server/program/accounts/accounts.ts'
import { renewFirstKey } from '../server/program/api-keys/api-keys.ts'
import { getMember, inviteMember } from '../server/program/auth/members.ts'
import { invitationOfOwner } from '../server/program/auth/owners.ts'
import { changeInvoicingSettings } from '../server/program/invoicing/settings.ts'
import { changeLinkBlueprint, createLinkBlueprint } from '../server/program/links/link-blueprints.ts'
import { changeTerms } from '../server/program/terms/terms-state.ts'
import { STRIPE_KEY, STRIPE_SIGNING_SECRET } from './providers.ts'
import { setUp } from './sign-ups.ts'
import { getAccess, type Harbor, type Story } from './story.ts'

/** Opens Harbor Analytics, whose owner sets it up at once. */
export async function foundHarbor(story: Story, admin: Actor): Promise<Harbor> {
  const { services } = story
  const { db } = services
  const owner = { email: 'elena@harbor.example', firstName: 'Elena', lastName: 'Marsh' }
  const id = await transaction(db, (tx) =>
    createAccount(tx, services, userAuthor(admin), { name: 'Harbor Analytics', timeZone: 'America/New_York', owner }),
  )
  const elena = await setUp(story, (await invitationOfOwner(db, services, id))!.url!)
  const access = await getAccess(story, changeAccountCall, elena, id)
  await transaction(db, (tx) =>
    changeAccount(tx, userAuthor(elena), access, {
      defaultCommissionSettings: { layerRates: [10, 5, 2] },
      minimumPayout: 50_00,
      payoutDelay: 30,
      paydays: { every: 'month', days: [1, 15] },
      invitationsFromPartners: true,
      oldLinkParameters: ['via'],
    }),
  )
  await transaction(db, (tx) => changeInvoicingSettings(tx, userAuthor(elena), id, payer))
  for (const colleague of team) await join(story, elena, id, colleague)
  const { account } = await getAccess(story, changeAccountCall, elena, id)
  return { id, account, owner: elena, partners: new Map() }
}

/** Facts about the payer for the IRS; partners are paid only with a tax form. */
const payer = {
  taxForms: 'required' as const,
  legalName: 'Harbor Analytics, Inc.',
  country: 'US',
  ein: '04-5550199',
  address: { addressLine: '210 Commercial Street', zipCode: '04101', city: 'Portland', state: 'ME' },
  phone: '+1 207 555 0140',
}

const team: NewMember[] = [
  { email: 'sam@harbor.example', firstName: 'Sam', lastName: 'Reed', role: 'manager' },
  { email: 'maya@harbor.example', firstName: 'Maya', lastName: 'Chen', role: 'finance' },
  { email: 'leo@harbor.example', firstName: 'Leo', lastName: 'Brandt', role: 'viewer' },
]

/** Invites a colleague, who accepts at once. */
async function join(story: Story, owner: Actor, accountId: string, colleague: NewMember) {
  const { services } = story
  const home = { accountId, partnerId: null }
  const access = await getAccess(story, inviteMemberCall, owner, accountId)
  const { url } = await transaction(services.db, async (tx) =>
    getMember(tx, services, home, await inviteMember(tx, services, { home, actor: owner, access }, colleague)),
  )
  await setUp(story, url!)
}

/** Days before today at which the account began to pay more. */
const RAISED = 190

/** Pays more for annual plans in their first year. */
export const annualPlans: TermsRule = {
  name: 'Annual plan, first year',
  on: 'sale',
  when: { products: ['team_annual'], firstMonths: 12 },
  layerRates: [30, 5],
}

/** Plans that new customers pay more; those who came before keep the first terms. */
export function planTerms({ course, before }: Story, { id, owner }: Harbor) {
  course.at(before(RAISED), (tx) =>
    changeTerms(
      tx,
      userAuthor(owner),
      id,
      { kind: 'account', id },
      {
        terms: { ...simpleTerms({ layerRates: [20, 5] }), rules: [annualPlans] },
        appliesTo: 'new-customers',
        note: 'More for new customers, most for annual plans',
        notifyPartners: false,
      },
    ),
  )
}

/** Connects Stripe by key; returns the address for its events. */
export async function connectStripe({ services }: Story, { id, owner }: Harbor) {
  const credentials = { restrictedKey: STRIPE_KEY, webhookSecret: STRIPE_SIGNING_SECRET }
  const body = { provider: 'stripe', credentials } as const
  const connection = await connectProvider(services, userAuthor(owner), id, body)
  const { shopId } = await services.db.one<{ shopId: string }>`
    select shop_id from provider_connections where id = ${connection.id}`
  return { connectionId: connection.id, shopId, webhookUrl: connection.webhookUrl! }
}

export type Blueprint = { id: string; weight: number; path: string; until: number }

/** The four link blueprints. */
export async function makeLinks({ services, course, before }: Story, { account, owner }: Harbor): Promise<Blueprint[]> {
  const by = userAuthor(owner)
  const utm = { source: 'partner', medium: 'referral', campaign: '{referralCode}' }
  const links = [
    { name: 'Main website', path: '/', weight: 60, more: {} },
    { name: 'Pricing page', path: '/pricing', weight: 22, more: { utm } },
    { name: 'Webinar sign-up', path: '/webinar', weight: 13, more: { cookieDays: 30 } },
    {
      name: 'Spring offer',
      path: '/spring',
      weight: 5,
      more: { attributionModel: 'first-touch' as const, commissionSettings: { layerRates: [25, 5] }, cookieDays: 60 },
    },
  ]
  const made: Blueprint[] = []
  for (const { name, path, weight, more } of links) {
    const body = { name, destinationUrl: `https://harbor.example${path}`, ...more }
    const { id } = await transaction(services.db, (tx) => createLinkBlueprint(tx, services.config, by, account, body))
    made.push({ id, weight, path, until: name === 'Spring offer' ? ENDED : 0 })
  }
  course.at(before(ENDED), (tx) =>
    changeLinkBlueprint(tx, services.config, by, { account, subjectId: made[3]!.id }, { enabled: false }),
  )
  return made
}

/** Days before today at which the spring offer ended. */
const ENDED = 60

/** Embed code and API key. */
export async function makeIntegrations({ services }: Story, { id, owner }: Harbor) {
  const by = userAuthor(owner)
  const element = <K extends EmbedElement>(key: K, selectorType: SelectorType = 'default', selectorValue = '') => ({
    [key]: { key, selectorType, selectorValue },
  })
  const config = {
    ...element('firstName', 'name', 'first_name'),
    ...element('lastName', 'name', 'last_name'),
    ...element('email'),
    ...element('phone'),
    ...element('fieldsContainer', 'id', '#demo-form'),
    ...element('submitButton'),
  } as NonNullable<Parameters<typeof saveEmbedCode>[4]['config']>
  return transaction(services.db, async (tx) => {
    await saveEmbedCode(tx, services.config, by, id, { config, domains: ['harbor.example'], onlyIfReferred: false })
    await renewFirstKey(tx, services.secrets, by, id)
    const { key } = await createKey(tx, services.secrets, by, id, { name: 'Harbor app', rights: ['partners'] })
    return key
  })
}
