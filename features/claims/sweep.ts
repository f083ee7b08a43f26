import { ids } from '#contract/examples/objects.ts'
import { type FormRow, requireFields, textField } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { AddThing, Limit, World, WorldOfCalls } from '#test/support/sweep.ts'
import { CLAIM_DAYS, MOST_CLAIMS } from './contract.ts'
import { subjectIds } from './examples.ts'

const claimOf = ({ call, partner }: World, body: object) =>
  call('POST', `/partners/${partner.id}/claims`, body, partner.token)

export const things = {
  claim: (world: World) => claimOf(world, { orderId: world.text(40) }),
} satisfies Record<string, AddThing>

export const shownThings = {
  claim: (world: World) => claimOf(world, { orderId: 'A-1001', note: 'Yearly' }),
  otherClaim: (world: World) => claimOf(world, { orderId: 'A-1002' }),
} satisfies Record<string, AddThing>

export const strangeThings = {
  /** One in each state; returns the open one. */
  async claim(world: World) {
    const { call, accountId } = world
    const note = '=1+1'
    const open = await claimOf(world, { note, orderId: '=A-1001' })
    const lead = await call('POST', `/accounts/${accountId}/leads`, { email: 'claimed@strange.example' })
    const accepted = await claimOf(world, { note, email: 'claimed@strange.example', day: '2026-11-19' })
    await call('POST', `/claims/${accepted.id}/accept`, { leadId: lead.id, reason: '=theirs' })
    const refused = await claimOf(world, { note, orderId: '=1+1' })
    await call('POST', `/claims/${refused.id}/refuse`, { reason: '=1+1' })
    return open
  },
} satisfies Record<string, AddThing>

export const bodies = {
  createClaim: () => ({ orderId: 'A-1002', note: 'Yearly' }),
  acceptClaim: ({ sale }: WorldOfCalls) => ({ saleId: sale.id, reason: 'To see.' }),
  refuseClaim: () => ({ reason: 'To see.' }),
  askPartnerAboutClaim: () => ({ text: 'Which order?' }),
}

let orders = 0
/** Makes a claim that waits for a decision, and a sale that it may be about. */
async function prepareClaim({ account, instead, post, tokens }: Story) {
  const orderId = `to-decide-${++orders}`
  const claim = await post(`/partners/${instead[ids.partner]}/claims`, { orderId }, tokens.partner)
  const lead = await post(`/accounts/${account.id}/leads`, { email: `${orderId}@mail.example` })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  return { instead: { [subjectIds.claim]: claim.id, [ids.sale]: sale.id } }
}

export const preparations = {
  acceptClaim: prepareClaim,
  refuseClaim: prepareClaim,
  askPartnerAboutClaim: prepareClaim,
} satisfies Record<string, Prepare>

export const requiredRights = { acceptClaim: 'earn', refuseClaim: 'earn', askPartnerAboutClaim: 'earn' }
export const inPortal = ['createClaim', 'listPartnerClaims']
export const restrictedObjects = ['Claim', 'ClaimWithCandidates']
// the person who decided has no login in another install
export const fieldsOfInstall = { listClaims: ['decidedBy'], listPartnerClaims: ['decidedBy'] }
export const keptInEvents = { claim: { lead: ['orderId', 'partnerName'], partner: ['orderId'] } }
// the journey of claims reads the owner's file; the partner's has no button
export const notCompared = ['downloadClaims', 'downloadPartnerClaims']

export const screens: SweptScreen[] = [
  {
    role: 'owner',
    path: '/claims',
    h1: 'Leads',
    title: 'Claims · Leads',
    isTab: true,
    buttons: ['Download CSV'],
    labels: ['Search claims', 'Status', 'Partner'],
  },
  {
    role: 'owner',
    path: '/claims/{claim}',
    h1: 'Claim from Jane Whitfield',
    unloaded: 'Claim',
    buttons: ['Find the sale', 'Decline'],
    dialogs: { Decline: ['Reason'] },
  },
  {
    role: 'partner',
    path: '/leads',
    h1: 'Leads',
    buttons: ['Missing a sale?'],
    dialogs: { 'Missing a sale?': ['Order ID', 'Email', 'Day of Sale', 'Note'] },
  },
]
export const emptyScreens: [path: string, h1: string][] = [['/claims', 'Leads']]

export const forms: FormRow[] = [
  {
    name: 'refusal of a claim',
    who: 'owner',
    path: '/claims/{otherClaim}',
    h1: 'Claim from Jane Whitfield',
    open: 'Decline',
    submit: 'Decline',
    fields: { Reason: textField('reason', 500) },
    nothing: requireFields('Reason'),
    said: 'Claim declined',
  },
  {
    name: 'claim of a missing sale',
    who: 'partner',
    path: '/leads',
    h1: 'Leads',
    open: 'Missing a sale?',
    stays: true,
    submit: 'Send claim',
    fields: { 'Order ID': textField('orderId', 200), Note: textField('note', 1000) },
    nothing: { 'Order ID': 'Enter an order ID or an email' },
    said: 'Claim sent',
  },
]

export const limits: Limit[] = [
  {
    table: 'have',
    row: ['open claims of a partner, and claims of a day', `${MOST_CLAIMS}, ${MOST_CLAIMS}`],
    refusals: ['claims_open', 'claims_today'],
  },
  {
    table: 'times',
    row: ['a partner can claim a sale of the last', `${CLAIM_DAYS} days`],
    refusals: ['claim_day_too_early'],
  },
  { table: 'written', row: ['a claim', 'createClaim'] },
]
