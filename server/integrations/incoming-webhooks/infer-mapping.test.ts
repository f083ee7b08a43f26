import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, toText, valueAt } from '#contract/payload-paths.ts'
import { inferMapping, type Target } from './infer-mapping.ts'
import { transformText } from './transform.ts'

const guesses = (target: Target, sample: Json) => inferMapping(target, sample).guesses
const unitQuestions = (target: Target, sample: Json) => inferMapping(target, sample).questions

/** Documented payloads of senders, and the values that guesses must read from each. */
const senders: { name: string; target: Target; sample: Json; reads: Record<string, string | number> }[] = [
  {
    name: 'Typeform',
    target: 'lead',
    sample: {
      event_id: 'LtWXD3crgy',
      event_type: 'form_response',
      form_response: {
        form_id: 'lT4Z3j',
        token: 'a3a12ec67a1365927098a606107fac15',
        submitted_at: '2026-01-18T18:17:02Z',
        hidden: { ref: 'jane' },
        definition: { fields: [{ id: 'SMEUb7VJz92Q', title: 'Your email', ref: 'readable_ref_email' }] },
        answers: [
          { type: 'text', text: 'Lena', field: { id: 'JwWggjAKtOkA', type: 'short_text', ref: 'first_name' } },
          { type: 'text', text: 'Fischer', field: { id: 'KoJxDM3c6x8h', type: 'short_text', ref: 'last_name' } },
          { type: 'email', email: 'lena@mail.example', field: { id: 'SMEUb7VJz92Q', type: 'email', ref: 'email' } },
          {
            type: 'phone_number',
            phone_number: '+12125550142',
            field: { id: 'x', type: 'phone_number', ref: 'phone' },
          },
        ],
      },
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '+12125550142',
      referralCode: 'jane',
    },
  },
  {
    name: 'Tally',
    target: 'lead',
    sample: {
      eventId: 'a4cb511e',
      eventType: 'FORM_RESPONSE',
      createdAt: '2026-06-28T15:00:21.889Z',
      data: {
        responseId: '2wgx4n',
        submissionId: '2wgx4n',
        formName: 'Demo request',
        fields: [
          { key: 'question_3EKz4n', label: 'First name', type: 'INPUT_TEXT', value: 'Lena' },
          { key: 'question_nr7R3Z', label: 'Last name', type: 'INPUT_TEXT', value: 'Fischer' },
          { key: 'question_w4Q4Xn', label: 'Email', type: 'INPUT_EMAIL', value: 'lena@mail.example' },
          { key: 'question_3jZae3', label: 'Phone', type: 'INPUT_PHONE_NUMBER', value: '+4930123456' },
          { key: 'question_w2X', label: 'ref', type: 'HIDDEN_FIELDS', value: 'jane' },
        ],
      },
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '+4930123456',
      referralCode: 'jane',
      externalId: '2wgx4n',
    },
  },
  {
    name: 'Google Forms, by script',
    target: 'lead',
    sample: [
      { id: 1, text: 'First name', response: 'Lena' },
      { id: 2, text: 'Last name', response: 'Fischer' },
      { id: 3, text: 'Email', response: 'lena@mail.example' },
    ],
    reads: { email: 'lena@mail.example', firstName: 'Lena', lastName: 'Fischer' },
  },
  {
    name: 'Webflow',
    target: 'lead',
    sample: {
      triggerType: 'form_submission',
      payload: {
        name: 'Contact',
        siteId: '65427cf4',
        data: {
          'First Name': 'Lena',
          'Last Name': 'Fischer',
          email: 'lena@mail.example',
          'Phone Number': '2125550142',
        },
        submittedAt: '2026-09-14T12:35:16.117Z',
        id: '6321ca84df3949bfc6752327',
        formId: '65429eadebe8a9f3a30f62d0',
      },
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '2125550142',
      externalId: '6321ca84df3949bfc6752327',
    },
  },
  {
    name: 'Contact Form 7',
    target: 'lead',
    sample: { 'your-name': 'Lena Fischer', 'your-email': 'lena@mail.example', 'your-message': 'Hi', menu: ['A'] },
    reads: { email: 'lena@mail.example', fullName: 'Lena Fischer' },
  },
  {
    name: 'Elementor',
    target: 'lead',
    sample: {
      'First Name': 'Lena',
      Surname: 'Fischer',
      Email: 'Lena@Mail.Example',
      Date: 'March 9, 2026',
      form_id: '7b',
      form_name: 'Contact',
    },
    reads: { email: 'lena@mail.example', firstName: 'Lena', lastName: 'Fischer' },
  },
  {
    name: 'HubSpot workflow',
    target: 'lead',
    sample: {
      email: 'lena@mail.example',
      firstname: 'Lena',
      lastname: 'Fischer',
      phone: '2125550142',
      company: 'Quarry',
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '2125550142',
      company: 'Quarry',
    },
  },
  {
    name: 'Calendly',
    target: 'lead',
    sample: {
      event: 'invitee.created',
      created_at: '2026-11-17T22:08:49.000000Z',
      payload: {
        uri: 'https://api.calendly.com/scheduled_events/AAAA/invitees/BBBB',
        email: 'lena@mail.example',
        name: 'Lena Fischer',
        first_name: 'Lena',
        last_name: 'Fischer',
        text_reminder_number: '+12125550142',
        questions_and_answers: [{ question: 'Company', answer: 'Quarry', position: 0 }],
        tracking: { utm_source: null },
      },
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '+12125550142',
      company: 'Quarry',
    },
  },
  {
    name: 'Cal.com',
    target: 'lead',
    sample: {
      triggerEvent: 'BOOKING_CREATED',
      createdAt: '2026-05-24T09:30:00.538Z',
      payload: {
        uid: 'bFJeNb2uX8ANpT3JL5EfXw',
        organizer: { name: 'Owner', timeZone: 'UTC', language: { locale: 'en' } },
        attendees: [{ email: 'lena@mail.example', name: 'Lena Fischer', timeZone: 'UTC' }],
        responses: { ref: { label: 'ref', value: 'jane' } },
      },
    },
    reads: { email: 'lena@mail.example', referralCode: 'jane', externalId: 'bFJeNb2uX8ANpT3JL5EfXw' },
  },
  {
    name: 'Memberstack',
    target: 'lead',
    sample: {
      event: 'member.created',
      timestamp: 1633486880169,
      payload: {
        id: 'mem_abc',
        auth: { email: 'lena@mail.example' },
        customFields: { 'first-name': 'Lena', 'last-name': 'Fischer' },
      },
    },
    reads: { email: 'lena@mail.example', firstName: 'Lena', lastName: 'Fischer', externalId: 'mem_abc' },
  },
  {
    name: 'WooCommerce',
    target: 'sale',
    sample: {
      id: 727,
      number: '727',
      status: 'completed',
      currency: 'USD',
      date_created: '2026-03-22T16:28:02',
      total: '29.35',
      total_tax: '1.35',
      shipping_total: '5',
      billing: { first_name: 'Lena', last_name: 'Fischer', email: 'lena@mail.example', phone: '(555) 555-5555' },
      meta_data: [{ id: 13106, key: 'ref', value: 'jane' }],
      line_items: [{ id: 315, name: 'Woo Single', price: 3 }],
    },
    reads: {
      externalId: '727',
      email: 'lena@mail.example',
      grossAmount: 2935,
      taxAmount: 135,
      shippingAmount: 500,
      currency: 'usd',
      referralCode: 'jane',
      saleDate: '2026-03-22',
    },
  },
  {
    name: 'Gumroad',
    target: 'sale',
    sample: {
      sale_id: 'FO8TXN-dvxYabdavG97Y-Q==',
      order_number: '524459935',
      product_name: 'Course',
      email: 'lena@mail.example',
      price: '4900',
      offer_code: 'jane',
      sale_timestamp: '2026-07-06T17:23:53Z',
      test: 'true',
    },
    reads: {
      externalId: 'FO8TXN-dvxYabdavG97Y-Q==',
      email: 'lena@mail.example',
      referralCode: 'jane',
      saleDate: '2026-07-06',
      description: 'Course',
    },
  },
  {
    name: 'Digistore24, whose order is paid again and again',
    target: 'sale',
    sample: {
      event: 'on_payment',
      order_id: 'A3NXHEHF',
      transaction_id: '48213377',
      parent_transaction_id: '',
      order_date: '2026-05-14',
      transaction_date: '2026-07-14',
      transaction_amount: '49.00',
      transaction_currency: 'EUR',
      pay_sequence_no: '3',
      vat_amount: '7.82',
      buyer_email: 'lena@mail.example',
      product_id: '122343',
      currency: 'EUR',
    },
    reads: {
      externalId: '48213377',
      subscriptionId: 'A3NXHEHF',
      email: 'lena@mail.example',
      grossAmount: 4900,
      taxAmount: 782,
      currency: 'eur',
      saleDate: '2026-07-14',
      productId: '122343',
    },
  },
  {
    name: 'Digistore24, giving a payment back',
    target: 'refund',
    sample: {
      event: 'on_refund',
      order_id: 'A3NXHEHF',
      transaction_id: '48213399',
      parent_transaction_id: '48213377',
      transaction_amount: '-49.00',
      currency: 'EUR',
    },
    reads: { externalId: '48213399', saleExternalId: '48213377', amount: -4900 },
  },
  {
    name: 'CopeCart, whose rates have the order’s date',
    target: 'sale',
    sample: {
      event_type: 'payment.made',
      order_id: 'M6B5zL7i',
      order_date: '2026-05-14',
      product_id: '7a66056a',
      product_name: 'Course',
      buyer_id: 'b-77',
      buyer_email: 'lena@mail.example',
      buyer_country_code: 'DE',
      transaction_id: 't-2001',
      transaction_amount: 29.75,
      transaction_earned_amount: 22.1,
      transaction_vat_amount: 4.75,
      transaction_currency: 'EUR',
      transaction_date: '2026-07-14',
      transaction_amount_per_product: [{ amount: 29.75, vat_amount: 4.75, slug: '7a66056a' }],
      rate_number: 3,
    },
    reads: {
      externalId: 't-2001',
      subscriptionId: 'M6B5zL7i',
      email: 'lena@mail.example',
      grossAmount: 2975,
      taxAmount: 475,
      currency: 'eur',
      saleDate: '2026-07-14',
    },
  },
  {
    name: 'CopeCart, whose refund names the order alone',
    target: 'refund',
    sample: {
      event_type: 'payment.refunded',
      order_id: 'M6B5zL7i',
      transaction_id: 't-2009',
      transaction_amount: 29.75,
      transaction_currency: 'EUR',
      rate_number: 3,
    },
    reads: { externalId: 't-2009', saleExternalId: 'M6B5zL7i', amount: 2975 },
  },
  {
    name: 'A shop whose order has the processor’s transaction beside it',
    target: 'sale',
    sample: {
      order_id: '1001',
      transaction_id: 'ch_9',
      email: 'lena@mail.example',
      total: '20.00',
      order_date: '2026-07-14',
    },
    reads: { externalId: '1001', amount: 2000, saleDate: '2026-07-14' },
  },
  {
    name: 'Lead ads, whose answers are lists of one, in any order',
    target: 'lead',
    sample: {
      id: '4400017',
      form_id: '77',
      field_data: [
        { name: 'full_name', values: ['Lena Fischer'] },
        { name: 'email', values: ['lena@mail.example'] },
        { name: 'company_name', values: ['Quarry'] },
        { name: 'phone_number', values: ['+12125550142'] },
      ],
    },
    reads: { email: 'lena@mail.example', fullName: 'Lena Fischer', phone: '+12125550142', company: 'Quarry' },
  },
  {
    name: 'Zapier, as a user typed it',
    target: 'lead',
    sample: {
      first_name: 'Lena',
      last_name: 'Fischer',
      email_address: 'lena@mail.example',
      mobile: '2125550142',
      organization: { name: 'Quarry' },
      utm: { ref: 'jane' },
      id: 'crm-88213',
    },
    reads: {
      email: 'lena@mail.example',
      firstName: 'Lena',
      lastName: 'Fischer',
      phone: '2125550142',
      company: 'Quarry',
      externalId: 'crm-88213',
      referralCode: 'jane',
    },
  },
]

describe('payloads of common senders are mapped by guesses alone', () => {
  for (const { name, target, sample, reads } of senders)
    test(name, () => {
      const read = Object.fromEntries(
        guesses(target, sample).map(({ field, path, transform }) => [
          field,
          transformText(toText(valueAt(sample, path))!, transform, 'usd'),
        ]),
      )
      const wanted = Object.fromEntries(Object.keys(reads).map((field) => [field, read[field]]))
      assert.deepEqual(wanted, reads, JSON.stringify(guesses(target, sample)))
    })
})

test('an amount is the whole sale’s, not that of its shipping, its tax or one of its items', () => {
  const order = (more: Record<string, Json>): Json => ({ id: 'o-1', email: 'lena@mail.example', ...more })
  const money = (amount: string) => ({ shop_money: { amount, currency_code: 'USD' } })
  const cases: [Record<string, Json>, field: string, path: string][] = [
    [
      { current_shipping_price_set: money('10.00'), total_price: '403.00', total_tax: '31.00' },
      'grossAmount',
      'total_price',
    ],
    [{ shipping: { amount: '5.00', carrier: 'Post' }, total_price: '40.00' }, 'grossAmount', 'total_price'],
    [{ line_items: [{ price: '199.00' }, { price: '20.00' }], total_price: '219.00' }, 'amount', 'total_price'],
    [{ discount: { amount: '5.00' }, items: [{ amount: '45.00' }], total: '40.00' }, 'amount', 'total'],
    [
      { total: { amount: '40.00', currency: 'USD' }, fee: { amount: '2.00', currency: 'USD' } },
      'amount',
      'total.amount',
    ],
    [
      {
        subtotal: { value: '28.00', currency: 'USD' },
        discountTotal: { value: '8.00', currency: 'USD' },
        taxTotal: { value: '2.00', currency: 'USD' },
        grandTotal: { value: '22.00', currency: 'USD' },
      },
      'grossAmount',
      'grandTotal.value',
    ],
    // nothing but an item says what was paid
    [{ items: [{ price: '45.00' }] }, 'amount', 'items.0.price'],
  ]
  for (const [more, field, path] of cases) {
    const found = guesses('sale', order(more)).find((one) => one.field === 'amount' || one.field === 'grossAmount')
    assert.deepEqual([found?.field, found?.path], [field, path])
  }
})

test('a whole number is an amount only if its unit is certain; else it is asked', () => {
  const unitOf = (order: Record<string, Json>) =>
    guesses('sale', { id: 'o-1', ...order }).find(({ field }) => field === 'amount' || field === 'grossAmount')
      ?.transform
  assert.equal(unitOf({ total: 49 }), undefined)
  assert.deepEqual(unitQuestions('sale', { id: 'o-1', total: 49 }), [{ field: 'amount', path: 'total', value: '49' }])
  // other amounts, and the same one beside it in words
  assert.equal(unitOf({ total: 49, total_tax: '3.50' }), 'cents')
  assert.equal(unitOf({ total: 49, discount: '1.50' }), 'cents')
  assert.equal(unitOf({ total: 9700, total_str: '97.00' }), 'number')
  assert.equal(unitOf({ total: 97, total_str: '97.00' }), 'cents')
  assert.equal(unitOf({ total: 4900, formatted_total: '$49' }), 'number')
  assert.equal(unitOf({ total: 4900, total_decimal: '5.00' }), undefined)
  // no currency's unit is smaller than its only one
  assert.equal(unitOf({ total: 4900, currency: 'JPY' }), 'cents')
  assert.equal(unitOf({ total: 4900, currency: 'USD' }), undefined)
  assert.equal(unitOf({ total: '49.50' }), 'cents')
})

test('a value whose secret is removed before storage is not guessed for any field', () => {
  const pathsFor = (token: string) =>
    guesses('lead', { form_response: { token, email: 'ann@customer.example' } }).map(({ path }) => path)
  assert.deepEqual(pathsFor('•••'), ['form_response.email'])
  assert.deepEqual(pathsFor('abc-1').toSorted(), ['form_response.email', 'form_response.token'])
})

test('guesses take time linear in the sample’s length, whatever a stranger puts in it', () => {
  const began = performance.now()
  for (const part of ['.', '@.', 'a@', '\u0315\u0316', 'a\u0315\u0316', '1', '1,', '(', ' ', '[label=']) {
    const long = `a@${part.repeat(250_000 / part.length)}@`
    for (const target of ['lead', 'sale', 'refund', 'lead-status'] as const) {
      guesses(target, { x: long, email: long, amount: long, phone: long, [long]: '1' })
      guesses(target, [
        { label: long, value: long },
        { name: 'Email', value: long },
      ])
    }
  }
  assert.ok(performance.now() - began < 4000)
})

const pathsOf = (target: Parameters<typeof guesses>[0], sample: Parameters<typeof guesses>[1]) =>
  Object.fromEntries(guesses(target, sample).map(({ field, path }) => [field, path]))

test('an id of a form, a choice or nobody is no id; nor is an event’s beside its data', () => {
  const answers = [{ type: 'email', email: 'anna@buyer.example', field: { id: 'f1', type: 'email', ref: 'name' } }]
  const typeform = { event_id: 'e1', form_response: { form_id: 'F', token: 'tok1', definition: { id: 'F' }, answers } }
  assert.equal(pathsOf('lead', typeform).externalId, 'form_response.token')
  assert.equal(pathsOf('lead', typeform).referralCode, undefined)
  // titles of answers may be in another list
  const fields = [
    { id: 'f1', title: 'What is your email?' },
    { id: 'f2', title: 'What is your name?' },
  ]
  const named = [...answers, { type: 'text', text: 'Anna Lind', field: { id: 'f2', type: 'short_text', ref: 'a1b2' } }]
  const titled = { form_response: { token: 'tok1', definition: { id: 'F', fields }, answers: named } }
  assert.equal(pathsOf('lead', titled).fullName, 'form_response.answers[field.ref=a1b2].text')
  assert.equal(
    pathsOf('lead', { form: { id: '5c1e' }, fields: { email: { value: 'a@b.example' } } }).externalId,
    undefined,
  )
  const order = { id: 801, customer_id: 0, total: '29.35', billing: { email: 'anna@buyer.example' } }
  assert.equal(pathsOf('sale', order).leadExternalId, undefined)
  assert.equal(pathsOf('sale', { ...order, customer_id: 7 }).leadExternalId, 'customer_id')
  assert.equal(pathsOf('sale', order).externalId, 'id')
  assert.equal(
    pathsOf('lead', { id: 'evt_1', data: { email: 'a@b.example', submission_id: 's1' } }).externalId,
    'data.submission_id',
  )
  assert.equal(pathsOf('lead', { id: 'evt_1', data: { email: 'a@b.example' } }).externalId, undefined)
})

test('a host is not the person, and a phone is no amount', () => {
  const organizer = { name: 'Olga Host', email: 'olga@host.example' }
  const attendees = [{ name: 'Anna Lind', email: 'anna@buyer.example' }]
  assert.equal(pathsOf('lead', { payload: { organizer, attendees } }).email, 'payload.attendees.0.email')
  const fields = [
    { label: 'Phone', type: 'INPUT_PHONE_NUMBER', value: '4155550100' },
    { label: 'Email', type: 'INPUT_EMAIL', value: 'anna@buyer.example' },
  ]
  assert.equal(pathsOf('sale', { data: { fields } }).amount, undefined)
})

test('an amount that another one beside the tax adds up to is the total', () => {
  const invoice = { id: 'inv_0', total: 49_900, sub_total: 41_933, tax: 7967, currency_code: 'USD' }
  const sample = { id: 'ev_0', content: { invoice, transaction: { id: 'txn_0', amount: 49_900 } } }
  const found = (body: Json) =>
    Object.fromEntries(guesses('sale', body).map(({ field, path, transform }) => [field, `${path} ${transform}`]))
  assert.deepEqual(
    unitQuestions('sale', sample).map(({ field, path }) => `${field} ${path}`),
    ['grossAmount content.transaction.amount', 'taxAmount content.invoice.tax'],
  )
  const shipped = { amount: '29.35', goods: '18.00', tax: '1.35', shipping: '10.00' }
  assert.deepEqual([found(shipped).grossAmount, found(shipped).amount], ['amount cents', undefined])
  const nets: Json[] = [
    { amount: 100, tax: 20, quantity: 1 },
    { amount: 100, tax: 0, subtotal_before: 100 },
    { amount: 100, tax: 'none', price_list: 80 },
  ]
  for (const net of nets)
    assert.ok(unitQuestions('sale', net).some(({ field, path }) => field === 'amount' && path === 'amount'))
})

test('an id that a buyer, a plan or a subscription has at every payment is no sale’s, nor is a product’s date its own', () => {
  const paid = { email: 'anna@buyer.example', total: '29.35' }
  for (const around of ['plan', 'coupon', 'subscription', 'customer', 'buyer', 'contact', 'affiliate'])
    for (const target of ['sale', 'refund'] as const)
      assert.equal(pathsOf(target, { data: { ...paid, [around]: { id: 'X1' } } }).externalId, undefined, around)
  assert.equal(pathsOf('lead', { contact: { id: '7', email: 'anna@buyer.example' } }).externalId, 'contact.id')
  for (const around of ['data', 'payload', 'object', 'resource'])
    assert.equal(pathsOf('sale', { id: 'e1', type: 'sale.created', [around]: paid }).externalId, undefined, around)
  const product = { created_at: '2022-12-01 23:24:44 +0200' }
  assert.equal(pathsOf('sale', { data: { ...paid, product } }).saleDate, undefined)
})

test('a payment’s own amount is offered with the currency beside it, not a fee’s', () => {
  const in_ = (value: number, currency_value: string) => ({ value, currency_value })
  const purchase = { event_tickets: { amount: 12 }, price: in_(97.5, 'BRL'), transaction: 'HP1001' }
  const commissions = [in_(9.75, 'USD')]
  const sample = { id: 'e1', data: { commissions, purchase, subscription: { plan: { id: 123 } } } }
  const { externalId, amount, currency } = pathsOf('sale', sample)
  assert.deepEqual(
    [externalId, amount, currency],
    ['data.purchase.transaction', 'data.purchase.price.value', 'data.purchase.price.currency_value'],
  )
  assert.equal(pathsOf('refund', sample).saleExternalId, 'data.purchase.transaction')
  // alone, and no other amount says its currency
  assert.equal(pathsOf('sale', { currency: 'USD', charge: { amount: '5.00' } }).amount, 'charge.amount')
})
