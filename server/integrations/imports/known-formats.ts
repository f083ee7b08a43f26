import type { ImportKind, importFields, MappedColumn } from '#contract/imports.ts'

/** A file format of a program's export, known or assumed. */
export type Format = {
  /** Its name in the API. */
  format: string
  name: string
  kind: ImportKind
  confidence: 'certain' | 'guess'
  /** Columns that such a file must have; compared without case, spaces and punctuation. */
  marks: readonly string[]
  /** It has no other columns. */
  exact?: boolean
  mapping: readonly MappedColumn[]
}

type Transform = MappedColumn['transform']
type Column = string | { column: string; transform: Transform }
/** Fields with their columns; several if a file may have any of them. */
type Columns<K extends ImportKind> = Partial<Record<(typeof importFields)[K][number], Column | readonly Column[]>>

const read = (column: string, transform: Transform) => ({ column, transform })
/** `$1,234.50` */
const money = (column: string) => read(column, 'cents')
/** `123450` */
const minor = (column: string) => read(column, 'number')
const day = (column: string) => read(column, 'date')
const wholeName = (column: string) => ({ firstName: read(column, 'first-name'), lastName: read(column, 'last-name') })

const nameParts = (firstName: string, lastName: string) => ({ firstName, lastName })

const mapped = (columns: Record<string, Column | readonly Column[]>): MappedColumn[] =>
  Object.entries(columns).flatMap(([field, given]) =>
    [given].flat().map((one) => ({
      field,
      ...(typeof one === 'string' ? { column: one, transform: 'none' as const } : one),
      default: null,
    })),
  )

/** The files of one program. `certain`: documented by its maker, or seen in its own output. */
function of(format: string, name: string) {
  const add =
    (confidence: Format['confidence']) =>
    <K extends ImportKind>(kind: K, marks: string, columns: Columns<K>, exact = false): Format => ({
      format,
      name,
      kind,
      confidence,
      marks: marks.split(', '),
      exact,
      mapping: mapped(columns as Record<string, Column>),
    })
  return { certain: add('certain'), guess: add('guess') }
}

const dub = of('dub', 'Dub')
const rewardful = of('rewardful', 'Rewardful')
const firstPromoter = of('firstpromoter', 'FirstPromoter')
const tapfiliate = of('tapfiliate', 'Tapfiliate')
const partnerStack = of('partnerstack', 'PartnerStack')
const tolt = of('tolt', 'Tolt')
const postAffiliatePro = of('post-affiliate-pro', 'Post Affiliate Pro')
const goAffPro = of('goaffpro', 'GoAffPro')
const upPromote = of('uppromote', 'UpPromote')
const affiliateWp = of('affiliatewp', 'AffiliateWP')
const referralCandy = of('referralcandy', 'ReferralCandy')

/** Files recognised by their columns: certain ones first, and among these the more specific ones. */
export const formats: readonly Format[] = [
  dub.certain('partners', 'Email, Status, Enrolled at', {
    ...wholeName('Name'),
    email: 'Email',
    state: 'Status',
    note: 'Description',
  }),
  dub.certain('sales', 'type, amount, earnings, currency, status, createdAt', {
    externalId: 'id',
    email: 'customerEmail',
    leadExternalId: 'customerExternalId',
    partnerEmail: 'partnerEmail',
    amount: money('amount'),
    currency: 'currency',
    saleDate: day('createdAt'),
    description: 'description',
    commission: money('earnings'),
    commissionStatus: 'status',
  }),
  dub.certain('payouts', 'amount, currency, status, periodStart, periodEnd, initiatedAt', {
    externalId: 'id',
    partnerEmail: 'partnerEmail',
    amount: money('amount'),
    currency: 'currency',
    paidOn: day('paidAt'),
    status: 'status',
  }),
  dub.certain('leads', 'email, externalId, stripeCustomerId, firstSaleAt', {
    ...wholeName('name'),
    email: 'email',
    externalId: 'externalId',
    partnerEmail: 'partnerEmail',
  }),
  rewardful.certain('partners', 'Stripe Customer ID, Affiliate Email', {
    ...nameParts('Affiliate First Name', 'Affiliate Last Name'),
    email: 'Affiliate Email',
  }),
  rewardful.certain('leads', 'Stripe Customer ID, Affiliate Email', {
    externalId: 'Stripe Customer ID',
    partnerEmail: 'Affiliate Email',
  }),
  rewardful.certain('partners', 'stripe_customer_id, first_name, last_name, email', {
    ...nameParts('first_name', 'last_name'),
    email: 'email',
    referralCode: 'token',
  }),
  rewardful.certain('leads', 'stripe_customer_id, first_name, last_name, email', {
    externalId: 'stripe_customer_id',
    partnerEmail: 'email',
  }),
  rewardful.certain('partners', 'Imported ID, First Name, Last Name, Email', {
    ...nameParts('First Name', 'Last Name'),
    email: 'Email',
    referralCode: 'Token',
  }),
  rewardful.certain('leads', 'Imported ID, First Name, Last Name, Email', {
    externalId: 'Imported ID',
    partnerEmail: 'Email',
  }),
  tapfiliate.certain('sales', 'external_id, amount, created_at, affiliate_email', {
    externalId: 'external_id',
    leadExternalId: 'customer_id',
    partnerEmail: 'affiliate_email',
    amount: money('amount'),
    currency: 'currency',
    saleDate: day('created_at'),
    commission: money('commission_amount'),
    commissionStatus: 'commission_status',
  }),
  partnerStack.certain('partners', 'Partner_first, Partner_last, Partner_email', {
    ...nameParts('Partner_first', 'Partner_last'),
    email: 'Partner_email',
    referralCode: 'partner_key',
  }),
  postAffiliatePro.certain('sales', 'TRANSID, USERID, RSTATUS, COMMISSION, TOTALCOST', {
    externalId: 'TRANSID',
    orderId: 'ORDERID',
    referralCode: 'USERID',
    amount: money('TOTALCOST'),
    saleDate: day('DATEINSERTED'),
    description: 'PRODUCTID',
    commission: money('COMMISSION'),
    commissionStatus: read('PAYOUTSTATUS', 'paid-or-not'),
    status: 'RSTATUS',
    rowType: 'RTYPE',
    saleExternalId: 'PARENTTRANSID',
  }),
  postAffiliatePro.certain('sales', 'Affiliate ID, Order ID, Commission Value, Total Cost, Status', {
    externalId: 'Order ID',
    referralCode: 'Affiliate ID',
    amount: money('Total Cost'),
    saleDate: [day('Date'), day('Date Created')],
    commission: money('Commission Value'),
    status: 'Status',
    rowType: ['Type', 'Transaction Type'],
  }),
  goAffPro.certain('partners', 'ID, Email Address, Referral Code, Status', {
    ...nameParts('First Name', 'Last Name'),
    email: 'Email Address',
    referralCode: 'Referral Code',
    parentEmail: 'Parent Email',
    state: 'Status',
  }),
  goAffPro.certain('sales', 'Affiliate Email, Order Number, Order Subtotal, Affiliate Commission', {
    externalId: 'Order Number',
    email: 'Customer Email',
    partnerEmail: 'Affiliate Email',
    amount: money('Order Subtotal'),
    currency: 'Currency',
    saleDate: [day('Date'), day('Order Date'), day('Created At')],
    commission: money('Affiliate Commission'),
    status: 'Status',
  }),
  goAffPro.certain('payouts', 'Affiliate Email, Payout Amount, Date', {
    externalId: 'ID',
    partnerEmail: 'Affiliate Email',
    amount: money('Payout Amount'),
    currency: 'Currency',
    paidOn: day('Date'),
  }),
  goAffPro.certain('leads', 'Affiliate ID, Affiliate Email, Customer Email, Customer Name', {
    ...wholeName('Customer Name'),
    email: 'Customer Email',
    phone: 'phone',
    partnerEmail: 'Affiliate Email',
  }),
  goAffPro.certain('sales', 'order_number, order_value, affiliate_email, affiliate_commission', {
    externalId: 'order_number',
    partnerEmail: 'affiliate_email',
    amount: money('order_value'),
    saleDate: read('order_date', 'day-first-date'),
    commission: money('affiliate_commission'),
  }),
  goAffPro.certain('partners', 'name, email, ref_code, coupon', {
    ...wholeName('name'),
    email: 'email',
    referralCode: 'ref_code',
  }),
  goAffPro.certain(
    'leads',
    'affiliate_email, customer_name, customer_email',
    { ...wholeName('customer_name'), email: 'customer_email', partnerEmail: 'affiliate_email' },
    true,
  ),
  // its amount is the commission: the file lacks the sale's amount
  goAffPro.certain('sales', 'Entity Type, Event Type, Affiliate Email, Amount, Is Paid ?', {
    externalId: 'Order Number',
    partnerEmail: 'Affiliate Email',
    amount: money('Amount'),
    saleDate: day('Date'),
    commission: money('Amount'),
    commissionStatus: read('Is Paid ?', 'paid-or-not'),
  }),
  upPromote.certain('sales', 'affiliate_email, order_name, total_sales, commission, status', {
    externalId: 'order_name',
    email: 'customer_email',
    partnerEmail: 'affiliate_email',
    amount: money('total_sales'),
    currency: 'currency',
    saleDate: day('date'),
    commission: money('commission'),
    commissionStatus: 'status',
  }),
  upPromote.certain('payouts', 'full_name, email, total_amount, referrals', {
    partnerEmail: 'email',
    amount: money('total_amount'),
    paidOn: day('date'),
  }),
  upPromote.certain('partners', 'email, first_name, last_name, program, status, signup_source', {
    ...nameParts('first_name', 'last_name'),
    email: 'email',
    state: 'status',
  }),
  upPromote.certain('sales', 'email, total_sales, commission_amount', {
    partnerEmail: 'email',
    amount: money('total_sales'),
    saleDate: day('date'),
    commission: money('commission_amount'),
  }),
  // either may be the code in its links
  affiliateWp.certain('partners', 'Affiliate ID, Email, Payment Email, Rate Type, Status', {
    firstName: ['First Name', read('Name', 'first-name')],
    lastName: ['Last Name', read('Name', 'last-name')],
    email: 'Email',
    referralCode: 'Username',
    earlierCodes: 'Affiliate ID',
    state: 'Status',
  }),
  // its amount is the commission: the file lacks the sale's amount
  affiliateWp.certain('sales', 'Affiliate ID, Email, Amount, Reference, Context, Status', {
    externalId: 'Reference',
    email: 'Customer Email',
    partnerEmail: 'Email',
    amount: money('Amount'),
    currency: 'Currency',
    saleDate: day('Date'),
    description: 'Description',
    commission: money('Amount'),
    commissionStatus: 'Status',
  }),
  affiliateWp.certain('payouts', 'Payout ID, Affiliate, Amount, Payout Method, Status', {
    externalId: 'Payout ID',
    referralCode: read('Affiliate', 'in-brackets'),
    amount: money('Amount'),
    paidOn: day('Date'),
    status: 'Status',
  }),
  referralCandy.certain(
    'partners',
    'first_name, last_name, email, locale',
    { firstName: 'first_name', lastName: 'last_name', email: 'email' },
    true,
  ),

  rewardful.guess('sales', 'amount, currency, state, due_at, sale.sale_amount_cents', {
    externalId: 'id',
    email: 'sale.referral.customer.email',
    partnerEmail: 'sale.affiliate.email',
    amount: minor('sale.sale_amount_cents'),
    currency: 'currency',
    saleDate: day('sale.charged_at'),
    commission: minor('amount'),
    commissionStatus: 'state',
  }),
  rewardful.guess('payouts', 'amount, currency, state, paid_at', {
    externalId: 'id',
    partnerEmail: ['affiliate.email', 'affiliate_email', 'email'],
    amount: minor('amount'),
    currency: 'currency',
    paidOn: day('paid_at'),
    status: 'state',
  }),
  rewardful.guess('leads', 'customer_email, affiliate_token', {
    email: 'customer_email',
    referralCode: 'affiliate_token',
  }),
  rewardful.guess('leads', 'customer.email, conversion_state', {
    ...wholeName('customer.name'),
    email: 'customer.email',
    externalId: ['customer.id', 'stripe_customer_id'],
    partnerEmail: ['affiliate.email', 'affiliate_email'],
  }),
  rewardful.guess('partners', 'email, paypal_email, state', {
    ...nameParts('first_name', 'last_name'),
    email: 'email',
    referralCode: ['links.token', 'token'],
    state: 'state',
  }),
  rewardful.guess('partners', 'email, name, token, status', {
    ...wholeName('name'),
    email: 'email',
    referralCode: 'token',
    state: 'status',
  }),
  firstPromoter.guess('sales', 'commission_type, sale_amount, amount, is_paid', {
    externalId: ['event_id', 'id'],
    email: 'referral.email',
    leadExternalId: 'referral.uid',
    partnerEmail: ['promoter.email', 'promoter_email'],
    amount: minor('sale_amount'),
    saleDate: day('created_at'),
    commission: minor('amount'),
    commissionStatus: read('is_paid', 'paid-or-not'),
    status: 'status',
  }),
  firstPromoter.guess('leads', 'lead_email, lead_id', {
    email: 'lead_email',
    externalId: 'lead_id',
    referralCode: ['ref_id', 'cust_ref'],
  }),
  firstPromoter.guess('payouts', 'status, amount, period_start, period_end, paid_at', {
    externalId: 'id',
    partnerEmail: ['promoter.email', 'promoter_email'],
    amount: minor('amount'),
    paidOn: day('paid_at'),
    status: 'status',
  }),
  firstPromoter.guess('partners', 'email, cust_id, joined_at', {
    firstName: ['profile.first_name', 'first_name'],
    lastName: ['profile.last_name', 'last_name'],
    email: 'email',
    referralCode: ['ref_id', 'promoter_campaigns.ref_token', 'ref_token'],
  }),
  tapfiliate.guess('partners', 'email, firstname, lastname, referral_link', {
    ...nameParts('firstname', 'lastname'),
    email: 'email',
    referralCode: 'referral_code',
  }),
  partnerStack.guess('sales', 'customer_key, customer_email, amount, currency, approved', {
    externalId: 'key',
    email: 'customer_email',
    leadExternalId: 'customer_key',
    amount: minor('amount'),
    currency: 'currency',
    saleDate: day('created_at'),
  }),
  partnerStack.guess('leads', 'customer_key, provider_key, email', {
    ...wholeName('name'),
    email: 'email',
    externalId: 'customer_key',
    referralCode: 'partnership_key',
  }),
  partnerStack.guess('partners', 'email, first_name, last_name, partner_key, joined_at', {
    ...nameParts('first_name', 'last_name'),
    email: 'email',
    referralCode: 'partner_key',
  }),
  // a reward lacks the sale's amount
  partnerStack.guess('sales', 'amount, currency, reward_status, partnership.email', {
    externalId: 'key',
    email: 'customer.email',
    partnerEmail: 'partnership.email',
    amount: minor('amount'),
    currency: 'currency',
    saleDate: day('created_at'),
    commission: minor('amount'),
    commissionStatus: 'reward_status',
  }),
  tolt.guess('sales', 'amount, revenue, transaction_id, charge_id, status', {
    externalId: 'transaction_id',
    email: 'customer.email',
    partnerEmail: 'partner.email',
    amount: minor('revenue'),
    saleDate: day('created_at'),
    commission: minor('amount'),
    commissionStatus: 'status',
  }),
  tolt.guess('leads', 'customer_id, email, name, status', {
    ...wholeName('name'),
    email: 'email',
    externalId: 'customer_id',
    partnerEmail: 'partner.email',
  }),
  tolt.guess('partners', 'email, first_name, last_name, company_name, status', {
    ...nameParts('first_name', 'last_name'),
    email: 'email',
    state: 'status',
  }),
  postAffiliatePro.guess('partners', 'USERID, REFID, DATEINSERTED, PARENTUSERID', {
    firstName: ['FIRSTNAME', 'NAME'],
    lastName: ['LASTNAME', 'SURNAME'],
    email: ['USERNAME', 'EMAIL'],
    referralCode: 'USERID',
    earlierCodes: 'REFID',
    note: 'NOTE',
    state: ['RSTATUS', 'STATUS'],
  }),
  upPromote.guess('sales', 'order_id, order_number, affiliate_id, total_sales, commission', {
    externalId: 'order_number',
    partnerEmail: 'affiliate.email',
    amount: money('total_sales'),
    saleDate: day('created_at'),
    commission: money('commission'),
    commissionStatus: 'status',
  }),
  referralCandy.guess('leads', 'referral_email, referring_email', {
    email: 'referral_email',
    partnerEmail: 'referring_email',
  }),
  affiliateWp.guess(
    'payouts',
    'Email, Amount, Currency',
    {
      partnerEmail: 'Email',
      amount: money('Amount'),
      currency: 'Currency',
    },
    true,
  ),
]
