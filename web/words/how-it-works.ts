import { defineWords, withTeamWords } from '#contract/words.ts'

/** The use of each integration and settings tab, in two sentences. */
const partnersHowItWorks = defineWords('how-it-works', 'partner', {
  heading: 'How this works',
  'partner-settings':
    'Your commissions are paid to this account. A payout is sent once it’s due, above the minimum and approved for the year.',
})

export const howItWorksWords = withTeamWords(partnersHowItWorks, {
  'payment-providers':
    'Your provider sends us payments, refunds and disputes, and we match each to a lead. Unmatched payments are kept for you to attribute.',
  'incoming-webhooks':
    'Other systems send data to a secret URL, and you map it to fields. Failed deliveries can be replayed.',
  'outgoing-webhooks':
    'Each event is signed, sent to your URL and retried until it’s accepted. Your receiver verifies the signature with the webhook’s secret.',
  'push-data': 'Your own systems send leads, sales and refunds with this key. Duplicates count once.',
  'embed-code':
    'A small script on your pages remembers who referred each visitor and sends leads from your forms. It never delays a form.',
  general:
    'Reports and payouts use this currency and time zone. Sales in other currencies are converted at the day’s rate.',
  people:
    'Give each colleague the role their job needs. Managers decide what is earned, finance what is paid, viewers read, and owners do everything.',
  commission:
    'The referring partner earns the first rate on each sale. The partners above them earn the other rates, one layer each.',
  attribution:
    'A lead is credited to the partner whose click brought it within the link’s cookie window. Protection sets how long no other partner can claim it.',
  'fraud-rules':
    'Each rule looks for one sign that a referral isn’t genuine. It flags the sale, or holds its commission until you decide in Fraud review.',
  partners:
    'You decide what partners see of their leads and sales. They never see profit, your notes or other partners’ earnings.',
  program:
    'Your program has one public page that shows what partners earn and takes applications. It opens once you turn it on.',
  applications:
    'The form asks everyone for their name and email, and for what you add. You decide each application, or approve them automatically.',
  branding:
    'Partners see your logo and color on their screens, on your program page and in emails. With your own domain, links and pages have your address.',
  emails:
    'Partners and applicants get these emails. You can replace the text of each one, and the name that they come from.',
  payouts:
    'Once the payout delay after a sale has passed, its commission is due and is added to the partner’s next payout. Wise and PayPal send approved payouts for you; otherwise you pay them yourself and mark them as paid.',
  'payout-methods':
    'A payout takes the first method that reaches its partner. Manual payouts are always possible: you pay, then mark them as paid.',
  invoices:
    'You issue invoices in your partners’ names, and VAT is paid in addition to their commissions. Invoices are numbered in one series, and a credit note reverses one if the money is returned.',
  books:
    'Everything counts on the day it was recorded, so the figures of a past day never change. The journal leads to the same figures, for your accountant.',
  data: 'Import brings in partners, leads, sales and payouts from other systems. Export downloads everything except payout details and secrets.',
  activity:
    'Every change to rates, money, access and settings is recorded here, with who made it and when. The log can’t be edited or deleted.',
})
