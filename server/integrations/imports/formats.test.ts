import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import, ImportKind } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, turnableClock } from '../../../test/support/app.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { formats } from './known-formats.ts'
import { processImport } from './run-import.ts'

const app = await startApp({ clock: turnableClock('2026-03-10T12:00:00Z') })

type Case = {
  format: string
  kind: ImportKind
  confidence?: 'guess'
  /** A header and rows, in the shape that the program writes. */
  csv: string
  /** Number of rows created. */
  created: number
  /**
   * The sales or payouts, by external id or reference: amount, and for a sale its commission and the part still owed.
   */
  booked?: Record<string, (number | null)[]>
  /** Values added by the owner that the program lacks. */
  add?: Record<string, string>
}

const p = 'pat@partners.example'

/** One file of every known format, as documented or as written by the program. */
const cases: Case[] = [
  {
    format: 'dub',
    kind: 'partners',
    csv: `ID,Name,Email,Country,Status,Group,Enrolled at,Payouts enabled at\npn_1,"'=Ann Bell",ann@dub.example,US,approved,default,2025-01-02T03:04:05.000Z,\npn_2,Bo,bo@dub.example,US,banned,default,2025-01-02T03:04:05.000Z,`,
    created: 2,
  },
  {
    format: 'dub',
    kind: 'sales',
    csv: `id,type,amount,earnings,currency,status,invoiceId,quantity,createdAt,partnerEmail,customerEmail\ncm_1,sale,"$1,000.00",$200.01,usd,paid,in_1,1,2025-05-06T10:00:00.000Z,${p},d1@c.example\ncm_2,sale,$10.00,$2.00,usd,processed,in_2,1,2025-05-06T10:00:00.000Z,${p},d1@c.example\ncm_3,sale,$10.00,$2.00,usd,fraud,in_3,1,2025-05-06T10:00:00.000Z,${p},d1@c.example`,
    created: 2,
    booked: { cm_1: [1000_00, 200_01], cm_2: [10_00, 2_00] },
  },
  {
    format: 'dub',
    kind: 'payouts',
    csv: `id,amount,currency,status,periodStart,periodEnd,initiatedAt,paidAt,partnerEmail\npo_1,$5.00,usd,completed,2025-01-01,2025-01-31,2025-02-01,2025-02-03T00:00:00.000Z,${p}\npo_2,$5.00,usd,pending,2025-01-01,2025-01-31,,,${p}`,
    created: 1,
    booked: { po_1: [5_00] },
  },
  {
    format: 'dub',
    kind: 'leads',
    csv: `id,name,email,externalId,stripeCustomerId,country,sales,saleAmount,createdAt,firstSaleAt,subscriptionCanceledAt,partnerEmail\ncus_1,Cy Dole,cy@dub.example,u_1,cus_x,US,1,$10.00,2025-01-01,2025-01-02,,${p}`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'partners',
    csv: `stripe_customer_id,first_name,last_name,email,token\ncus_r1,Ann,Bell,ann@rewardful.example,ann-r\ncus_r2,Ann,Bell,ann@rewardful.example,ann-r`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'leads',
    csv: `stripe_customer_id,first_name,last_name,email\ncus_r1,Pat,P,${p}`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'partners',
    csv: `Imported ID,First Name,Last Name,Email,PayPal Email,Wise Email,Token\ncus_o1,Bo,Old,old@rewardful.example,,,bo-old`,
    created: 1,
  },
  { format: 'rewardful', kind: 'leads', csv: `Imported ID,First Name,Last Name,Email\ncus_o1,Pat,P,${p}`, created: 1 },
  {
    format: 'rewardful',
    kind: 'partners',
    csv: `Stripe Customer ID,Affiliate Email,Affiliate First Name,Affiliate Last Name,Affiliate PayPal Email\ncus_q1,oldest@rewardful.example,Olga,Est,`,
    created: 1,
  },
  { format: 'rewardful', kind: 'leads', csv: `Stripe Customer ID,Affiliate Email\ncus_q1,${p}`, created: 1 },
  {
    format: 'rewardful',
    kind: 'sales',
    confidence: 'guess',
    csv: `id,amount,currency,state,due_at,paid_at,sale.charged_at,sale.sale_amount_cents,sale.affiliate.email\nrc_1,2500,USD,paid,2025-03-01,2025-03-02,2025-02-01T00:00:00Z,10000,${p}`,
    created: 1,
    booked: { rc_1: [100_00, 25_00] },
  },
  {
    format: 'rewardful',
    kind: 'payouts',
    confidence: 'guess',
    csv: `id,amount,currency,state,paid_at,affiliate_email\nrp_1,2500,USD,paid,2025-03-02,${p}`,
    created: 1,
    booked: { rp_1: [25_00] },
  },
  {
    format: 'rewardful',
    kind: 'leads',
    confidence: 'guess',
    csv: `customer_email,affiliate_token\nrl@c.example,pat`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'leads',
    confidence: 'guess',
    csv: `customer.id,customer.name,customer.email,conversion_state,affiliate.email\nr_9,Ro Li,roli@c.example,lead,${p}`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'partners',
    confidence: 'guess',
    csv: `id,first_name,last_name,email,paypal_email,state\n1,Ai,Ra,aira@rewardful.example,,suspicious`,
    created: 1,
  },
  {
    format: 'rewardful',
    kind: 'partners',
    confidence: 'guess',
    csv: `email,token,name,status\ntoki@rewardful.example,toki,To Ki,active`,
    created: 1,
  },
  {
    format: 'firstpromoter',
    kind: 'sales',
    confidence: 'guess',
    csv: `id,status,commission_type,sale_amount,amount,is_paid,created_at,referral.email,promoter.email\n7,approved,sale,10000,2000,true,2025-01-05,fp@c.example,${p}\n8,denied,sale,10000,2000,false,2025-01-05,fp@c.example,${p}`,
    created: 1,
    booked: { 7: [100_00, 20_00] },
  },
  {
    format: 'firstpromoter',
    kind: 'leads',
    confidence: 'guess',
    csv: `lead_email,lead_id,ref_id,earnings\nfpl@c.example,99,pat,$4`,
    created: 1,
  },
  {
    format: 'firstpromoter',
    kind: 'payouts',
    confidence: 'guess',
    csv: `id,status,amount,period_start,period_end,paid_at,promoter.email\n70,completed,2000,2025-01-01,2025-01-31,2025-02-05,${p}`,
    created: 1,
    booked: { 70: [20_00] },
  },
  {
    format: 'firstpromoter',
    kind: 'partners',
    confidence: 'guess',
    csv: `id,email,cust_id,joined_at,profile.first_name,ref_token\n1,fp@promoters.example,,2025-01-01,Fi,fi-pro`,
    created: 1,
  },
  {
    format: 'tapfiliate',
    kind: 'sales',
    csv: `external_id,amount,created_at,affiliate_email,program,currency,commission_status,commission_amount\nT-1,40.00,2025-06-01,${p},main,USD,approved,8.00\nT-2,40.00,2025-06-01,${p},main,USD,disapproved,8.00`,
    created: 1,
    booked: { 'T-1': [40_00, 8_00] },
  },
  {
    format: 'tapfiliate',
    kind: 'partners',
    confidence: 'guess',
    csv: `id,email,firstname,lastname,referral_link,referral_code\nx,tap@f.example,Ta,Pf,https://x.example/?ref=tapf,tapf`,
    created: 1,
  },
  {
    format: 'partnerstack',
    kind: 'partners',
    csv: `Partner_first,Partner_last,Partner_email,partner_key,Partner_joined_date\nPa,St,pa@stack.example,past1,2025-01-01`,
    created: 1,
  },
  {
    format: 'partnerstack',
    kind: 'partners',
    confidence: 'guess',
    csv: `email,first_name,last_name,partner_key,joined_at\nka@stack.example,Ka,St,kast1,1735689600000`,
    created: 1,
  },
  {
    format: 'partnerstack',
    kind: 'leads',
    confidence: 'guess',
    csv: `key,customer_key,provider_key,email,name,partnership_key\nk,ck_1,pk,ps@c.example,Pi Es,pat`,
    created: 1,
  },
  {
    format: 'partnerstack',
    kind: 'sales',
    confidence: 'guess',
    csv: `key,customer_key,customer_email,amount,currency,approved,created_at\ntr_1,ck_1,ps@c.example,5000,USD,true,1735689600000`,
    created: 1,
    booked: { tr_1: [50_00] },
  },
  {
    format: 'partnerstack',
    kind: 'sales',
    confidence: 'guess',
    csv: `key,amount,currency,reward_status,created_at,customer.email,partnership.email\nrw_1,500,USD,scheduled,1735689600000,psr@c.example,${p}`,
    created: 1,
    booked: { rw_1: [5_00, 5_00] },
  },
  {
    format: 'tolt',
    kind: 'sales',
    confidence: 'guess',
    csv: `id,amount,revenue,transaction_id,charge_id,status,created_at,partner.email\n1,"300","3000",tx_1,ch_1,pending,2025-02-02,${p}`,
    created: 1,
    booked: { tx_1: [30_00, 3_00] },
  },
  {
    format: 'tolt',
    kind: 'leads',
    confidence: 'guess',
    csv: `id,customer_id,email,name,status,created_at\n1,tc_1,tolt@c.example,To Lt,active,2025-01-01`,
    created: 1,
  },
  {
    format: 'tolt',
    kind: 'partners',
    confidence: 'guess',
    csv: `id,email,first_name,last_name,company_name,status\n1,to@lt.example,To,Lt,Co,active`,
    created: 1,
  },
  {
    format: 'post-affiliate-pro',
    kind: 'sales',
    csv: `[[COMMISSIONS]]\n!TRANSID;!USERID;!CAMPAIGNID;!RSTATUS;!RTYPE;!DATEINSERTED;!PAYOUTSTATUS;!COMMISSION;!ORDERID;!PRODUCTID;!TOTALCOST\nt100;pat;c1;A;S;2025-03-04 05:06:07;P;12.50;o1;Pro plan;125.00\nt101;pat;c1;P;S;2025-03-04 05:06:07;U;1;o2;;10\nt102;pat;c1;D;S;2025-03-04 05:06:07;U;1;o3;;10`,
    created: 2,
    booked: { t100: [125_00, 12_50], t101: [10_00, 1_00] },
  },
  {
    format: 'post-affiliate-pro',
    kind: 'sales',
    csv: `Affiliate ID,Campaign ID,Order ID,Commission Value,Total Cost,Status,Date\npat,c,po9,3,30,A,2025-03-04\npat,c,po8,3,30,D,2025-03-04`,
    created: 1,
    booked: { po9: [30_00, 3_00] },
  },
  {
    format: 'post-affiliate-pro',
    kind: 'partners',
    confidence: 'guess',
    csv: `[[AFFILIATES]]\n!USERID,!REFID,!USERNAME,!FIRSTNAME,!LASTNAME,!DATEINSERTED,!PARENTUSERID,!NOTE\na1b2c3d4,papa,papa@p.example,Pa,Pa,2025-01-01,,Old friend`,
    created: 1,
  },
  {
    format: 'goaffpro',
    kind: 'partners',
    csv: `ID,Name,First Name,Last Name,Email Address,Company Name,Phone,Status,Referral Code,Referral Link,Coupon Code,Total Commission,Amount Paid\n1,Go Aff,Go,Aff,go@aff.example,,,approved,goaff,https://x.example,GOAFF10,$1,$0`,
    created: 1,
  },
  {
    format: 'goaffpro',
    kind: 'sales',
    csv: `Affiliate ID,Affiliate Email,Order Number,Order Subtotal,Order Total,Affiliate Commission,Discount codes,ref,Date\n1,${p},#2554,100.00,120.00,10.00,,pat,2025-02-02\n1,${p},0,5.00,5.00,5.00,,pat,2025-02-02`,
    created: 2,
    booked: { '#2554': [100_00, 10_00] },
  },
  {
    format: 'goaffpro',
    kind: 'sales',
    csv: `Entity Type,Event Type,Affiliate ID,Affiliate Name,Affiliate Email,Order Number,Amount,Date,Is Paid ?\norder,created,1,Pat,${p},#2600,7.00,2025-02-02,91\norder,created,1,Pat,${p},#2601,7.00,2025-02-02,0`,
    created: 2,
    booked: { '#2600': [7_00, 7_00], '#2601': [7_00, 7_00] },
  },
  {
    format: 'goaffpro',
    kind: 'payouts',
    csv: `ID,Affiliate ID,Affiliate Email,Payout Amount,Currency,Payment Method,Payment Data,Payment Note for Admin,Date\n91,1,${p},7.00,USD,paypal,x,,2025-03-03`,
    created: 1,
    booked: { 91: [7_00] },
  },
  {
    format: 'goaffpro',
    kind: 'leads',
    csv: `id,Affiliate ID,Affiliate Email,Customer Email,Customer Name,first_name,last_name,phone,Referral code,order_id,Source,Date\n5,1,${p},gc@c.example,Gi Ci,Gi,Ci,,pat,,,2025-01-01`,
    created: 1,
  },
  {
    format: 'goaffpro',
    kind: 'sales',
    csv: `order_id,order_number,order_value,affiliate_email,affiliate_commission, order_date\n1,G1,50,${p},5,15/02/19 12:53`,
    created: 1,
    booked: { G1: [50_00, 5_00] },
  },
  {
    format: 'goaffpro',
    kind: 'partners',
    csv: `name,email,password,ref_code,coupon\nGo Two,two@aff.example,x,gotwo,`,
    created: 1,
  },
  {
    format: 'goaffpro',
    kind: 'leads',
    csv: `affiliate_email,customer_name,customer_email\n${p},Gu Es,gues@c.example`,
    created: 1,
  },
  {
    format: 'uppromote',
    kind: 'sales',
    csv: `affiliate_name,affiliate_email,order_name,date,tracking_by,total_sales,commission,commission_adjustment,status,currency\nPat,${p},#U1,2025-04-21 11:49 AM,link,60.00,6.00,0,Approved,USD\nPat,${p},#U2,2025-04-21 11:49 AM,link,60.00,6.00,0,Denied,USD`,
    created: 1,
    booked: { '#U1': [60_00, 6_00] },
  },
  {
    format: 'uppromote',
    kind: 'payouts',
    csv: `full_name,email,total_amount,commission,tax,referrals,total_sales\nPat,${p},6.00,6.00,0,1,60.00\nPat,${p},-6.00,-6.00,0,1,60.00`,
    created: 1,
    add: { paidOn: '2025-05-01' },
  },
  {
    format: 'uppromote',
    kind: 'partners',
    csv: `id,email,first_name,last_name,country,program,status,date_created,signup_source,coupons,referral_link\n1,up@promote.example,Up,Pro,US,main,Inactive,2025-04-21 11:49 AM,form,,https://x.example`,
    created: 1,
  },
  {
    format: 'uppromote',
    kind: 'sales',
    csv: `email,total_sales,commission_amount\n${p},60.00,6.00`,
    created: 1,
    add: { saleDate: '2025-05-01' },
  },
  {
    format: 'uppromote',
    kind: 'sales',
    confidence: 'guess',
    csv: `order_id,order_number,affiliate_id,total_sales,commission,status,affiliate.email,created_at\n1,UA1,1,60.00,6.00,paid,${p},1735689600`,
    created: 1,
    booked: { UA1: [60_00, 6_00] },
  },
  {
    format: 'affiliatewp',
    kind: 'partners',
    csv: `Affiliate ID,Email,First Name,Last Name,Payment Email,Username,Rate,Rate Type,Flat Rate Basis,Earnings,Unpaid Earnings,Referrals,Visits,Conversion Rate,Status,Date Registered\n4,wp@aff.example,Wu,Pe,,wupe,20,percentage,,1,0,1,2,50%,active,2020-01-01`,
    created: 1,
  },
  {
    format: 'affiliatewp',
    kind: 'sales',
    csv: `Affiliate ID,Email,Name,Payment Email,Username,Amount,Currency,Description,Campaign,Reference,Context,Status,Type,Date\n4,${p},Pat,,pat,9.99,USD,Gold plan,,5501,woocommerce,paid,sale,2021-06-07 08:09:10\n4,${p},Pat,,pat,9.99,USD,Gold plan,,5502,woocommerce,rejected,sale,2021-06-07 08:09:10`,
    created: 1,
    booked: { 5501: [9_99, 9_99] },
  },
  {
    format: 'affiliatewp',
    kind: 'payouts',
    csv: `Payout ID,Affiliate,Referrals,Amount,Generated By,Payout Method,Payout Account,Status,Date\n77,Pat Doe (#pat),5501,9.99,admin,manual,,paid,2021-07-01`,
    created: 1,
    booked: { 77: [9_99] },
  },
  {
    format: 'affiliatewp',
    kind: 'payouts',
    confidence: 'guess',
    csv: `Email,Amount,Currency\n${p},8.88,USD`,
    created: 1,
    add: { paidOn: '2021-08-01' },
  },
  {
    format: 'referralcandy',
    kind: 'partners',
    csv: `First Name,Last Name,Email,Locale\nRe,Can,re@candy.example,en`,
    created: 1,
  },
  {
    format: 'referralcandy',
    kind: 'leads',
    confidence: 'guess',
    csv: `shopify_order_number,referral_email,referring_email,referral_timestamp\n1,friend@c.example,${p},2025-01-01`,
    created: 1,
  },
]

const account = await anAccount(app)
await aPartner(app, account, { email: p, referralCode: 'pat' })
const { token } = account
const post = async (path: string, body: object) =>
  expectOk(await app.api('POST', `/accounts/${account.id}/imports${path}`, { token, body })).body

for (const { format, kind, confidence = 'certain', csv, created, booked = {}, add = {} } of cases)
  test(`${format}: ${kind}, ${csv.split('\n', 1)[0]!.slice(0, 60)}`, async () => {
    const preview = await post('/preview', { csv, kind })
    assert.deepEqual([preview.format, preview.kind, preview.confidence], [format, kind, confidence])
    const added = Object.entries(add).map(([field, value]) => ({
      ...{ field, column: null, transform: 'constant', default: value },
    }))
    const { id } = await post('', { kind, format, csv, mapping: [...preview.mapping, ...added], dryRun: false })
    await processImport(app.services, { importId: id })
    const done: Import = expectOk(await app.api('GET', `/imports/${id}`, { token })).body
    assert.equal(done.created, created, JSON.stringify(done.errors))
    for (const [key, figures] of Object.entries(booked)) assert.deepEqual(await bookedAs(kind, key), figures)
  })

/** The amount and, for a sale that earned, the partner's commission. */
async function bookedAs(kind: ImportKind, key: string) {
  const { db } = app.services
  if (kind === 'payouts')
    return [(await db.one<{ amount: number }>`select amount from payouts where external_reference = ${key}`).amount]
  const { amount, earned } = await db.one<{ amount: number; earned: number | null }>`
    select s.amount, (select sum(amount)::bigint from commission_entries where sale_id = s.id) as earned
    from sales s where s.provider = 'import' and s.external_id = ${key}`
  return earned === null ? [amount] : [amount, earned]
}

test('every known file was imported, and the ledger is consistent', async () => {
  const formatName = ({ format, kind }: { format: string; kind: string }) => `${format} ${kind}`
  assert.deepEqual(cases.map(formatName).sort(), formats.map(formatName).sort())
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

// Columns as other programs publish or export them, and each field's column.
const headers: { kind: ImportKind | null; columns: string; read: Record<string, string> }[] = [
  {
    kind: 'partners',
    columns: 'First Name,Last Name,Email Address,Offer ID,PayPal email,Coupon,Country,State',
    read: { firstName: 'First Name', lastName: 'Last Name', email: 'Email Address', promotionCode: 'Coupon' },
  },
  {
    kind: 'partners',
    columns: 'Name,Email,Tracking Parameter,State,Status,City',
    read: {
      ...{ firstName: 'Name first-name', lastName: 'Name last-name', email: 'Email' },
      ...{ referralCode: 'Tracking Parameter', state: 'Status' },
    },
  },
  {
    kind: null,
    columns: 'email,first_name,last_name,ref_id,promo_code,paypal_email,state',
    read: {
      ...{ firstName: 'first_name', lastName: 'last_name', email: 'email', state: 'state' },
      ...{ referralCode: 'ref_id', promotionCode: 'promo_code' },
    },
  },
  {
    kind: 'sales',
    columns: 'Purchase Code,Customer Email,Purchase Amount,Commission Amount,Affiliate Email,Created At',
    read: {
      ...{ externalId: 'Purchase Code', email: 'Customer Email', partnerEmail: 'Affiliate Email' },
      ...{ amount: 'Purchase Amount cents', saleDate: 'Created At date', commission: 'Commission Amount cents' },
    },
  },
  {
    kind: 'sales',
    columns: 'event_id,status,sale_amount,amount,promoter_email,lead_email',
    read: { email: 'lead_email', partnerEmail: 'promoter_email', amount: 'sale_amount cents', status: 'status' },
  },
  // commissions with what was bought are no payouts
  { kind: null, columns: 'ID,Amount,Currency,State,Paid At,Customer Email,Sale Amount', read: {} },
]

test('columns of other programs are read as what they are', async () => {
  for (const { kind, columns, read } of headers) {
    const csv = `${columns}\n${columns.replaceAll(/[^,]+/g, 'x')}`
    const { mapping } = await post('/preview', { csv, ...(kind && { kind }) })
    const found = mapping.map(({ field, column, transform }: Record<string, string>) => [
      field,
      transform === 'none' ? column : `${column} ${transform}`,
    ])
    assert.deepEqual(Object.fromEntries(found), read, columns)
  }
})

test('in an unknown file a sale’s ID is never its customer’s, and no column is used twice', async () => {
  const { mapping } = await post('/preview', {
    csv: 'Customer ID,Order ID,Amount,Status,Date\n1,2,3,paid,2025-01-01',
    kind: 'sales',
  })
  assert.deepEqual(
    mapping.map(({ field, column }: { field: string; column: string }) => [field, column]),
    [
      ['externalId', 'Order ID'],
      ['leadExternalId', 'Customer ID'],
      ['amount', 'Amount'],
      ['saleDate', 'Date'],
      ['status', 'Status'],
    ],
  )
})
