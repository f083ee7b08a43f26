import type { z } from 'zod'

/** The names that 1.0 gave to schemas, by today's. The OpenAPI document and the client have both until 2.0. */
export const formerSchemas: Record<string, string> = {
  AcceptanceSnapshot: 'AcceptanceTold',
  ClaimSnapshot: 'ClaimTold',
  CommissionEntry: 'Entry',
  CommissionEntryWithSale: 'EntryWithSale',
  CurrentUser: 'Me',
  CustomDomain: 'Host',
  FraudCaseSnapshot: 'FraudCaseTold',
  FraudFinding: 'Finding',
  InvoiceNumberGap: 'NumberJump',
  LeadSubmissionResult: 'SubmittedLeadVerdict',
  MailPreference: 'MailChoice',
  MailPreviewDetail: 'WholeMailPreview',
  ParkedTask: 'Parked',
  PartnerLiability: 'OwedToPartner',
  PartnerPushResult: 'AddedPartner',
  PartnerLinkSnapshot: 'PartnerLinkTold',
  PartnerSnapshot: 'PartnerTold',
  PasskeyEnrollment: 'AddedPasskey',
  PersonalData: 'PersonFile',
  PortalSignIn: 'OpenedPortal',
  PromotionCodeOffer: 'CodeOffer',
  PromotionCodeRule: 'CodeRule',
  ProviderConnection: 'Connection',
  RatesPreview: 'RatesEffect',
  ReceiptPayout: 'PayoutOfReceipt',
  ReconciliationTransfer: 'ReadTransfer',
  SaleGoal: 'ReachedGoal',
  SaleProduct: 'ProductSeen',
  SaleTermsSummary: 'SaleTermsInWords',
  SignedTaxForm: 'TaxFormSigned',
  SimilarLead: 'LeadLikePayer',
  TaxFormSnapshot: 'TaxFormTold',
  TermsRule: 'Rule',
  TotpEnrollment: 'AddedTotp',
}

/** The names that 1.0 gave to calls, by today's. */
export const formerOperations: Record<string, string> = {
  askPartnerAboutCase: 'askPartner',
  confirmSamePerson: 'takeForSamePerson',
  exportLeadData: 'getLeadPerson',
  exportPartnerData: 'getPartnerPerson',
  listLeadsSimilarToPayer: 'listLeadsLikePayer',
  previewPayoutForm: 'draftPayoutForm',
  reorderPayoutMethods: 'orderPayoutMethods',
  replayFailedDeliveries: 'replayFailed',
  requestPromotionCode: 'askForPromotionCode',
  resendFailedDeliveries: 'resendFailed',
  suspendPartnerForCase: 'suspendForCase',
}

/** The names that 1.0 gave to fields, by today's. */
export const formerFields = {
  attempts: 'tries',
  canImportPastSales: 'remembers',
  confidence: 'sure',
  notifyPartners: 'tellPartners',
  numberGaps: 'jumps',
  recordedState: 'stateHere',
  unaffected: 'untouched',
} as const
type Former = typeof formerFields

/** Declares a field by both names: a reply has both, a body has one of them. */
export const bothFields = <N extends keyof Former, S extends z.ZodType>(name: N, schema: S) =>
  ({ [name]: schema, [formerFields[name]]: schema.meta({ deprecated: true }) }) as Record<N | Former[N], S>

/** Returns a reply's value by both names. */
export const bothNames = <N extends keyof Former, V>(name: N, value: V) =>
  ({ [name]: value, [formerFields[name]]: value }) as Record<N | Former[N], V>
