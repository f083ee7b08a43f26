import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPortal, requiredRights } from '#test/support/sweep.ts'
import { type Endpoint, rights } from './endpoint.ts'
import { endpoints } from './index.ts'

// The table of rights of people.md, section 3, stated a second time: a call in another group is a mistake in one of them.

const words = (text: string) => text.trim().split(/\s+/)

/** Writing calls and the readings that are not for everyone in the team. */
const table = {
  earn: words(`
    createPartner createPartners upsertPartner createSubPartner archivePartner deletePartner movePartners retryInvitation
    revokeInvitation adjustBalance createGroup changeGroup deleteGroup createGoal
    changeGoal deleteGoal changeAccountTerms changeGroupTerms changeLinkTerms changePartnerTerms createLinkBlueprint
    changeLinkBlueprint deleteLinkBlueprint testLink createPartnerLink changePartnerLink deletePartnerLink createLead changeLead changeLeadStatus addLeadNote deleteLead
    reassignLead previewEarlierSales submitLead createSale changeSale refundSale releaseSale restoreSale voidSale attributeSale previewCommission
    previewRates checkConnection importPastSales retryProviderEvent createOutgoingWebhook changeOutgoingWebhook
    deleteOutgoingWebhook rotateOutgoingSecret testOutgoingWebhook resendDelivery resendFailedDeliveries createIncomingWebhook
    changeIncomingWebhook deleteIncomingWebhook rotateIncomingUrl testIncomingWebhook replayDelivery replayFailedDeliveries confirmSamePerson
    createImport previewImport cancelImport undoImport
    listPartnerMembers downloadPartnerMembers removePartnerMember saveProgram previewProgram createApplication decideApplications
    saveFraudRules`),
  pay: words(`
    approvePayout approvePayouts cancelPayout retryPayout confirmReward markPayoutPaid markPayoutsPaid refreshPayouts
    applyPayoutResults createPaymentFile downloadPaymentFile startPayoutReconciliation confirmPayoutReconciliation
    getAutoPayoutSettings getPayoutMethods getPayoutSettings getInvoiceDetails`),
  earnOrPay: words('remindPartner enterExchangeRate changePartner changeAccount startBulkAction cancelBulkAction'),
  own: words(`
    renewApiKey connectProvider getConnectUrl changeConnection disconnectProvider listCoupons saveCodeRule
    changeAutoPayoutSettings reorderPayoutMethods saveSepaMethod removeSepaMethod savePayPalMethod removePayPalMethod eraseLead erasePartner exportAccount exportLeadData exportPartnerData
    inviteMember changeMember retryMemberInvitation invitePartnerMember changeBrand checkHost
    publishAgreement publishAgreementTranslation changeAgreementVersion getInvoicing changeInvoicing issueCorrection`),
}
/** Anyone leaves an account; only owners remove others. */
const readersWrite = ['removeMember']

const teamOf = ({ allow }: Endpoint) => allow.filter((caller) => (rights.read as readonly string[]).includes(caller))
const groupOf = (endpoint: Endpoint) =>
  Object.entries(rights).find(([, roles]) => teamOf(endpoint).join() === roles.join())?.[0]

test('each call of an account’s team is in the group that decides what it decides', () => {
  const named = new Map([
    ...Object.entries(table).flatMap(([group, names]) => names.map((name) => [name, group] as const)),
    ...Object.entries(requiredRights),
  ])
  for (const endpoint of endpoints.filter((endpoint) => teamOf(endpoint).length > 0)) {
    const { name, method } = endpoint
    const expected = named.get(name) ?? (method === 'GET' || readersWrite.includes(name) ? 'read' : 'named in none')
    assert.equal(groupOf(endpoint), expected, name)
    named.delete(name)
  }
  assert.deepEqual([...named.keys()], [])
})

test('members of a partner make every call of its owners but those about where the money goes and who belongs to it', () => {
  const owners = endpoints.filter(({ allow }) => allow.includes('partner') && !allow.includes('partner-member'))
  assert.deepEqual(owners.map(({ name }) => name).toSorted(), [
    'acceptAgreement',
    'changePartnerMember',
    'createObjection',
    'deletePayoutSettings',
    'downloadPartnerInvoices',
    'getInvoice',
    'getInvoiceDetails',
    'getPayoutForm',
    'getPayoutSettings',
    'getPayoutStatement',
    'getTaxForm',
    'invitePartnerMember',
    'listPartnerInvoices',
    'previewPayoutForm',
    'retryPartnerMemberInvitation',
    'saveInvoiceDetails',
    'savePayoutSettings',
    'signTaxForm',
  ])
  assert.deepEqual(
    endpoints.filter(({ allow }) => allow.includes('partner-member') && !allow.includes('partner')),
    [],
  )
})

test('a portal session makes the calls of its list and no other', () => {
  assert.deepEqual(
    endpoints
      .filter((one) => one.inPortal)
      .map(({ name }) => name)
      .toSorted(),
    [
      ...inPortal,
      ...words(`answerQuestion changePartnerLink createPartnerLink deletePartnerLink getAccount getAgreement getAgreementVersion getBalance getLead getLeadHistoricalStats getLeadStats getPartner getPartnerForecast
      getPartnerHistoricalStats getPartnerStats getPartnerTerms getPayout getPortal getReceipt listAgreementVersions listLeadCommissions
      listLeadEvents listLeadSales listPartnerCommissions listPartnerGoals listPartnerLeads listPartnerLinks
      listPartnerPayouts listPayoutEntries listQuestions listSaleCommissions retryInvitation submitLead`),
    ].toSorted(),
  )
})
