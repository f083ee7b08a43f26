import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { listChecks, verifyLedger } from './verify.ts'

const db = await freshDatabase()
const history = await ledgerHistory(db)
const { account, partnerIds, leadIds, refund, paidPayout, approvedPayout } = history
const { paidSale, refundedSale, disputedSale, voidedSale, foreignSale, correctedSale, ruledSale, groupSale } = history

const PERSON = newId()

const changed = (tx: Transaction, what: string) => {
  const { client } = tx
  return client.query(what)
}

/** An attempt of the approved payout that is under way at Wise, for less than was approved. */
const anAttempt = (number: string) => `
  insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, state, stage, method,
    details_version, amount, currency, year, at, updated_at)
  values ('${newId()}', '${account.id}', '${approvedPayout}', ${number}, '${newId()}', '1', 'processing', 'open', 'wise', '${newId()}', 1, 'usd', 2026, now(), now())`

/** A payment file of the approved payout, one of whose columns is then falsified. */
const aPaymentFile = (column: string, value: string) => {
  const id = newId()
  return `
    update payouts set method = 'csv' where id = '${approvedPayout}';
    insert into payment_files (account_id, id, number, method, message_id, count, amount, currency, created_at)
    select account_id, '${id}', 1, 'csv', 'TRB-1', 1, amount, currency, now() from payouts where id = '${approvedPayout}';
    insert into payment_file_payouts (account_id, file_id, payout_id, turn, reference, amount, pay_amount)
    select account_id, '${id}', id, 1, 'PO-1', amount, amount from payouts where id = '${approvedPayout}';
    update payment_files set ${column} = ${value} where id = '${id}'`
}

/** An approved application of this partner. */
const anApproved = (partnerId: string) => `
  insert into applications (id, account_id, status, partner_id, decided_at, created_at, updated_at)
  values ('${newId()}', '${account.id}', 'approved', ${partnerId}, now(), now(), now())`

const anAgreement = `
  insert into agreement_versions (account_id, version, text, text_sha256, published_at)
  values ('${account.id}', 1, 'Be kind', encode(sha256('Be kind'), 'hex'), now())`

/** A falsification, and the check that must find it. */
const tampering: [what: string, statement: string, check: string][] = [
  [
    'a partner of two applications',
    `drop index applications_of_partner; ${anApproved(`'${partnerIds[0]}'`)}; ${anApproved(`'${partnerIds[0]}'`)}`,
    'an approved application has one partner of its account, and no partner has two',
  ],
  [
    'an approved application without a partner',
    `alter table applications drop constraint applications_check; ${anApproved('null')}`,
    'an approved application has one partner of its account, and no partner has two',
  ],
  [
    'the text of an agreement',
    `alter table agreement_versions disable trigger append_only; ${anAgreement};
      update agreement_versions set text = text || '.' where account_id = '${account.id}'`,
    'an acceptance names a version of the agreement, and its text',
  ],
  [
    'the text that was accepted',
    `${anAgreement}; insert into agreement_acceptances (account_id, partner_id, version, text_sha256, through, at)
      values ('${account.id}', '${partnerIds[0]}', 1, 'another', 'sign-in', now())`,
    'an acceptance names a version of the agreement, and its text',
  ],
  [
    'the name of an erased lead',
    `update leads set erased_at = now(), first_name = 'Ada' where id = '${leadIds[0]}'`,
    'every personal column of an erased person is empty',
  ],
  [
    'the refunded sum of a sale, by one',
    `update sales set refunded_amount = refunded_amount + 1 where id = '${refundedSale}'`,
    'what a sale has lost is the sum of its refunds',
  ],
  [
    'a refund that is not there',
    `update refunds set status = 'failed' where id = '${refund.id}'`,
    'what a sale has lost is the sum of its refunds',
  ],
  [
    'the status of a sale',
    `update sales set status = 'completed' where id = '${refundedSale}'`,
    "a sale's status follows from its refunds and disputes",
  ],
  [
    'a dispute that is forgotten',
    `update sales set disputed = false where id = '${disputedSale}'`,
    'an open dispute marks its sale',
  ],
  [
    'what a refund took from revenue, by one',
    `update refunds set account_amount = account_amount + 1 where id = '${refund.id}'`,
    'revenue lost is the share of the sale that was lost',
  ],
  [
    'a commission that is said to be given, of a sale that earned by rates',
    `update sales set provider = 'import', given_commission = 1 where id = '${paidSale}'`,
    'a commission that was given is what the sale was credited with',
  ],
  [
    'what a cap left to a sale',
    `update sales set credit = jsonb_set(credit, '{cap,kept}', '100001') where id = '${ruledSale}'`,
    'a sale under a cap keeps at most the room that others left',
  ],
  [
    'what a cap left of the pay for a lead',
    `update leads set credit = (
      select jsonb_object_agg(key, value || '{"cap": {"kind": "month", "used": 0, "planned": 1, "kept": 2}}') from jsonb_each(credit))
    where id = '${leadIds[3]}'`,
    'pay for a lead under a cap keeps at most the room that others left',
  ],
  [
    'a commission beyond the cap of its customer',
    `update commission_entries set amount = amount + 100000 where sale_id = '${ruledSale}' and layer = 0`,
    'a customer, month or year earns at most its cap, and what was restored',
  ],
  [
    'the place of a sale among its customer’s',
    `update sales set customer_place = 2 where id = '${ruledSale}'`,
    'a sale has the place among its customer’s sales that its rules ask for',
  ],
  [
    'the amount that a rule paid',
    `update commission_entries set amount = amount + 1 where sale_id = '${ruledSale}'`,
    'every layer has what the rules of its sale’s terms pay, less the losses of the lines',
  ],
  [
    'the pay for a lead that is no customer any more',
    `update leads set status = 'qualified' where id = '${leadIds[3]}'`,
    'pay for a lead is that of its terms, while its status keeps it',
  ],
  [
    'the rule that pays for a lead',
    `update leads set credit = jsonb_set(credit, '{new-customer,rule}', 'null') where id = '${leadIds[3]}'`,
    'pay for a lead is that of its terms, while its status keeps it',
  ],
  [
    'pay for a lead that was never credited',
    `update leads set credit = null where id = '${leadIds[3]}'`,
    'pay for a lead is that of its terms, while its status keeps it',
  ],
  [
    'an account whose owner is gone',
    `insert into users (id, email, created_at, updated_at) values ('${PERSON}', 'gone@owner.example', now(), now());
     insert into invitations (id, kind, account_id, email, user_id, status, token_hash, last_sent_at, expires_at, created_at, updated_at)
     values ('${newId()}', 'owner', '${account.id}', 'gone@owner.example', '${PERSON}', 'accepted', 'hash', now(), now(), now(), now())`,
    'an account that had an owner has one, and an owner as its contact',
  ],
  [
    'a partner whose contact is no owner',
    `insert into users (id, email, created_at, updated_at) values ('${PERSON}', 'gone@partner.example', now(), now());
     update partners set user_id = '${PERSON}' where id = '${partnerIds[0]}'`,
    'the contact of a partner is one of its owners, if it has any',
  ],
  [
    'a partner whose last owner is gone',
    `insert into users (id, email, created_at, updated_at) values ('${PERSON}', 'gone@partner.example', now(), now());
     insert into invitations (id, kind, account_id, partner_id, email, user_id, status, token_hash, last_sent_at, expires_at, created_at, updated_at)
     values ('${newId()}', 'partner', '${account.id}', '${partnerIds[0]}', 'gone@partner.example', '${PERSON}', 'accepted', 'hash', now(), now(), now(), now())`,
    'a partner that was never archived and had an owner has one',
  ],
  [
    'a payout above the ceiling that one person approved',
    `insert into payout_limits (account_id, in_force_at, max_per_payout, approvals, saved_at)
     values ('${account.id}', '2000-01-01', 0, 2, '2000-01-01')`,
    'a payout above the ceiling, approved while two people were needed, has two',
  ],
  [
    'rates that were changed without the log',
    `alter table accounts disable trigger user; update accounts set layer_rates_ppm = '{990000}' where id = '${account.id}'`,
    'rates shown are those of the newest terms',
  ],
  [
    'terms that are gone from the log',
    `delete from terms_log where account_id = '${account.id}' and number = 1`,
    'the terms of an account are numbered without a gap, the first for all sales',
  ],
  [
    'rates that no terms had when the sale was booked',
    `update sales set credit = jsonb_set(credit, '{ratesPpm,0}', '990000') where id = '${paidSale}'`,
    'a sale has the terms that its booking found in force',
  ],
  [
    'a sale that is said to have seen later terms',
    `insert into terms_log (account_id, number, subject, subject_id, terms, applies_to, saved_at)
      select account_id, number + 100, subject, subject_id, terms, 'all-sales', saved_at from terms_log
      where account_id = '${account.id}' and subject = 'account' order by number desc limit 1;
     update sales set credit = credit || '{"seen": 1000000}' where id = '${paidSale}'`,
    'a sale has the terms that its booking found in force',
  ],
  [
    'a partner shown in another group than the newest move says',
    `update partners set group_id = null where id = '${partnerIds[1]}'`,
    'a partner is in the group of the newest move, which is not deleted',
  ],
  [
    'a group that is deleted though it has partners',
    `update groups set deleted_at = now() where account_id = '${account.id}' and id <> account_id`,
    'a partner is in the group of the newest move, which is not deleted',
  ],
  [
    'an account without a default group',
    `delete from groups where id = '${account.id}'`,
    'every account has its default group',
  ],
  [
    'a move that a sale is said to have seen',
    `insert into terms_log (account_id, number, subject, partner_id, applies_to, saved_at)
      select account_id, number + 100, 'move', partner_id, 'all-sales', saved_at from terms_log
      where account_id = '${account.id}' and subject = 'move';
     update partners set group_id = null where id = '${partnerIds[1]}';
     update sales set credit = credit || '{"seen": 1000000}' where id = '${groupSale}'`,
    'a sale has the terms that its booking found in force',
  ],
  [
    'a line that is there twice',
    `update sales set lines = '[{"id": "1", "amount": 1}, {"id": "1", "amount": 2}]', provider = 'stripe' where id = '${paidSale}'`,
    'the lines of a sale are at most 50, each with its own id',
  ],
  [
    'a line of a pushed sale, by one',
    `update sales set lines = jsonb_build_array(jsonb_build_object('id', '1', 'amount', amount + 1)), provider = 'api' where id = '${paidSale}'`,
    'the lines of a sale from an own system add up to it',
  ],
  [
    'a line beyond its refund',
    `update refunds set lines = jsonb_build_array(jsonb_build_object('id', '1', 'amount', amount + 1)) where sale_id = '${refundedSale}'`,
    'the lines that a refund names are at most the refund',
  ],
  [
    'the tax of a corrected sale',
    `update sales set tax_amount = tax_amount + 1 where id = '${correctedSale}'`,
    'a sale has the amounts of its last correction',
  ],
  [
    'what a correction gave, by one',
    `update commission_entries set amount = amount + 1 where sale_id = '${correctedSale}' and correction_id is not null and layer = 0`,
    'every layer has what the sale was credited with, less its share of what the sale has lost',
  ],
  [
    'a reversal that is gone',
    `delete from commission_entries where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 1`,
    'every layer has what the sale was credited with, less its share of what the sale has lost',
  ],
  [
    'a reversal, by one',
    `update commission_entries set amount = amount - 1 where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 0`,
    'every layer has what the sale was credited with, less its share of what the sale has lost',
  ],
  [
    'an earning that is gone while its reversal stays',
    `delete from commission_entries where sale_id = '${voidedSale}' and kind = 'earned'`,
    'every layer has what the sale was credited with, less its share of what the sale has lost',
  ],
  [
    'an earning, by one',
    `update commission_entries set amount = amount + 1 where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is its rate of the sale',
  ],
  [
    'the base of an entry',
    `update commission_entries set base_amount = base_amount + 1 where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is its rate of the sale',
  ],
  [
    'a rate beyond the sale',
    `update commission_entries set rate_ppm = 1000000, amount = 3334 where sale_id = '${disputedSale}' and layer = 0`,
    'the layers of a sale never earn more than the sale',
  ],
  [
    'an earning of somebody else',
    `update commission_entries set partner_id = '${partnerIds[0]}' where sale_id = '${refundedSale}' and layer = 0 and kind = 'earned'`,
    'the referrer earns in the first layer, and all in the currency of the sale',
  ],
  [
    'money that left an hour before',
    `update payout_cash set at = at - interval '1 hour' where payout_id = '${paidPayout}'`,
    'cash lines are what the moves of a payout tell',
  ],
  [
    'money that left and is said nowhere',
    `delete from payout_cash where payout_id = '${paidPayout}'`,
    'cash lines are what the moves of a payout tell',
  ],
  [
    'money that is out for a payout without entries',
    `update payout_entries set live = false where payout_id = '${paidPayout}'`,
    'money that is out is that of the entries a payout holds',
  ],
  [
    'money that left, by one',
    `update payout_cash set amount = amount + 1 where payout_id = '${paidPayout}'`,
    'what is owed today is what the balances say',
  ],
  [
    'money that left before anything was earned',
    `update payout_cash set at = '2020-01-01' where payout_id = '${paidPayout}'`,
    'the journal leads to what was owed',
  ],
  [
    'the sum of a payment file, by one',
    aPaymentFile('amount', 'amount + 1'),
    'a payment file is the sum of its payouts',
  ],
  [
    'a payout in a live file that was not approved into it',
    aPaymentFile('method', `'sepa'`),
    'a payout is in one live file at most, for as long as it is approved for what the file pays',
  ],
  [
    'a gap in the invoice numbers',
    `update invoices set number = 2 where payout_id = '${paidPayout}'`,
    'a series has every number once, but for recorded jumps',
  ],
  [
    'a jump that nobody gave a reason for',
    `update invoice_series set next_number = 9 where account_id = '${account.id}'`,
    'a series has every number once, but for recorded jumps',
  ],
  [
    'an invoice without a number',
    `update invoices set number = null, prefix = null where payout_id = '${paidPayout}'`,
    'only an unsure series lets documents wait',
  ],
  [
    'VAT of a payout, by one',
    `update payouts set tax_amount = tax_amount + 1 where id = '${paidPayout}'`,
    'the VAT of a payout is half up, and leaves with it',
  ],
  [
    'VAT that left, by one',
    `update payout_cash set tax_amount = tax_amount + 1 where payout_id = '${paidPayout}'`,
    'the VAT of a payout is half up, and leaves with it',
  ],
  [
    'an invoice over another amount',
    `update invoices set net = net + 1, gross = gross + 1 where payout_id = '${paidPayout}'`,
    'an invoice is its cash line, with VAT half up',
  ],
  [
    'a line of an invoice, by one',
    `update invoices set snapshot = jsonb_set(snapshot, '{lines,0,amount}', '1') where payout_id = '${paidPayout}'`,
    'an invoice is its cash line, with VAT half up',
  ],
  [
    'a correction without the credit note before it',
    `update invoices set revision = 1 where payout_id = '${paidPayout}'`,
    'a correction is a credit note of the invoice before and a new invoice, with the numbers that follow',
  ],
  [
    'a payout that left without its invoice',
    `delete from invoices where payout_id = '${paidPayout}'`,
    'a payout that left under invoicing has one invoice that is not credited',
  ],
  [
    'an invoice that a credit note takes back while its money is out',
    aCreditNote({}),
    'a payout that left under invoicing has one invoice that is not credited',
  ],
  ['a credit note over another rate', aCreditNote({ tax_rate: '7' }), 'a credit note is its invoice'],
  [
    'an entry in another currency',
    `update commission_entries set currency = 'eur' where sale_id = '${disputedSale}'`,
    'the referrer earns in the first layer, and all in the currency of the sale',
  ],
  [
    'an entry that was written before its day',
    `update commission_entries set created_at = day - interval '3 days' where sale_id = '${disputedSale}'`,
    'no entry counts on a day after it was written',
  ],
  [
    'the amount of a paid payout, by one',
    `update payouts set amount = amount + 1 where id = '${paidPayout}'`,
    'an approved payout is the sum of its entries',
  ],
  [
    'an entry that a payout has lost',
    `update payout_entries set live = false where payout_id = '${approvedPayout}'`,
    'an approved payout is the sum of its entries',
  ],
  [
    'a canceled payout that keeps its entries',
    `update payouts set status = 'canceled' where id = '${approvedPayout}'`,
    'a payout that is not approved, or canceled, holds nothing',
  ],
  [
    "a payout with another partner's entries",
    `update payouts set partner_id = '${partnerIds[0]}' where id = '${paidPayout}'`,
    'a payout holds entries of its own partner and currency alone',
  ],
  [
    'a payout in another currency',
    `update payouts set currency = 'eur' where id = '${paidPayout}'`,
    'a payout holds entries of its own partner and currency alone',
  ],
  [
    'a paid commission that was never earned',
    `update commission_entries set kind = 'restoration' where sale_id = '${paidSale}' and layer = 0 and kind = 'earned';
     delete from commission_entries where sale_id <> '${paidSale}' and partner_id = '${partnerIds[1]}'`,
    'nobody is paid more than they have earned',
  ],
  [
    "the account's revenue of a day, by one",
    `update day_stats set revenue = revenue + 1
     where account_id = '${account.id}' and partner_id = '${NIL}' and blueprint_id = '${NIL}' and sales > 0`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    "a link's day that is gone",
    `delete from day_stats where account_id = '${account.id}' and partner_id <> '${NIL}' and blueprint_id <> '${NIL}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    "a partner's month, by one",
    `update month_stats set revenue = revenue + 1 where account_id = '${account.id}'`,
    'the months of partners are the sum of the days',
  ],
  [
    'what a referrer earned in a month, by one',
    `update month_stats set earned = earned + 1 where account_id = '${account.id}'`,
    'what referrers earned in a month is the sum of the ledger',
  ],
  [
    "a partner's month that is gone",
    `delete from month_stats where account_id = '${account.id}' and sales > 0`,
    'the months of partners are the sum of the days',
  ],
  [
    'a day of a partner nobody knows',
    `insert into day_stats (account_id, partner_id, blueprint_id, day, clicks)
     values ('${account.id}', '${newId()}', '${NIL}', '2026-03-02', 1)`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    'the exchange rate of a sale',
    `update sales set fx_rate = fx_rate + 0.01 where id = '${foreignSale}'`,
    "a sale counts in its account's currency, at its own rate",
  ],
  [
    'a sale worth more in the currency of its account',
    `update sales set account_amount = account_amount + 1 where id = '${foreignSale}'`,
    "a sale counts in its account's currency, at its own rate",
  ],
  [
    'a rate of a day that has none',
    `update sales set fx_date = '2026-02-27' where id = '${foreignSale}'`,
    "a sale's rate is of a day that has one, its own or one of the seven before",
  ],
  [
    'a sale that counts in another currency',
    `update sales set account_currency = 'gbp' where id = '${history.nobodysSale}'`,
    'a sale counts in the one currency of its account',
  ],
  [
    'a tax that the customer did not pay',
    `update sales set tax_amount = gross_amount where id = '${paidSale}'`,
    'the customer paid what the sale and its tax add up to',
  ],
  [
    "a lead's second sale as its third",
    `update sales set sequence = 3 where id = '${refundedSale}'`,
    'the sales of a lead are numbered from one',
  ],
  [
    'a partner of a sale without a lead',
    `update sales set lead_id = null where id = '${paidSale}'`,
    'only a sale of a lead has a partner',
  ],
  [
    'a sale of test mode that has earned',
    `alter table sales drop constraint sales_test_is_no_money; update sales set is_test = true where id = '${paidSale}'`,
    "a sale of test mode is nobody's and earns nothing",
  ],
  [
    'a refund from another provider',
    `update refunds set provider = 'paddle' where id = '${refund.id}'`,
    'a refund is told by who told of its sale',
  ],
  [
    'a refund that counts on no day',
    `update refunds set counted_on = null where id = '${refund.id}'`,
    'a refund counts on the days on which it moved revenue',
  ],
  [
    'a lead that is won without its sale',
    `update leads set status = 'qualified' where id = '${leadIds[0]}'`,
    'a lead is won while it keeps a sale that was not given back',
  ],
  [
    'the rate of a reversal',
    `update commission_entries set rate_ppm = 1 where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 0`,
    'every layer has what the sale was credited with, less its share of what the sale has lost',
  ],
  [
    'a reversal for the refund of another sale',
    `update commission_entries set refund_id = '${refund.id}' where sale_id = '${voidedSale}' and kind = 'reversal'`,
    'a correction has its cause: a refund, a new amount, another payment of its subscription or customer, or a void',
  ],
  [
    'an entry that falls due a week early',
    `update commission_entries set available_at = available_at - interval '1 hour' where sale_id = '${refundedSale}' and kind = 'earned' and layer = 1`,
    'what a sale earns falls due its delay after its day, corrections with it or when it was paid',
  ],
  [
    'a sale that is paid out before its day',
    `update commission_entries set available_at = available_at - interval '7 days' where sale_id = '${disputedSale}'`,
    'what a sale earns falls due its delay after its day, corrections with it or when it was paid',
  ],
  [
    'a reversal of what was paid that forgets to take it back',
    `update commission_entries set clawback = false where sale_id = '${paidSale}' and kind = 'reversal'`,
    'a correction is taken from the next payout where the entry already stood in one',
  ],
  [
    'a reversal that counts on another day',
    `update commission_entries set day = day - 1 where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 1`,
    'an entry counts on the day of its sale, or of the refund it follows',
  ],
  [
    'rates of a sale that nobody is credited with',
    `update sales set credit = '{"ratesPpm": [], "line": []}' where id = '${history.nobodysSale}'`,
    'only a sale of a partner is credited, by rates and a line',
  ],
  [
    'every entry of a sale and what it was credited with',
    `delete from commission_entries where sale_id = '${disputedSale}'; update sales set credit = null where id = '${disputedSale}'`,
    'a credited sale keeps by what',
  ],
  [
    'a commission that was refused for nothing',
    `update sales set credited = false where id = '${disputedSale}'`,
    'a fraud rule that saw something says what, and what became of it',
  ],
  [
    'a hold without a case',
    `update sales set hold_rule = 'speed', hold_policy = 'hold', hold_reason = 'Fast', held_until = now() + interval '9 days'
      where id = '${disputedSale}'`,
    'a held sale has an open case, and an open case with a hold its held sale',
  ],
  [
    'pay that waits for a case that there is not',
    `update commission_entries set held_by = array['${newId()}']::uuid[] where sale_id = '${refundedSale}' and layer = 0`,
    'pay for a lead waits for cases of the lead or its partner',
  ],
  [
    'a limit that no subscription has',
    `update sales set past_limit = true where id = '${disputedSale}'`,
    'the recurring limit ends after its months',
  ],
  [
    'the base of a reversal',
    `update commission_entries set base_amount = base_amount - 1 where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 0`,
    'a correction has its part of the base',
  ],
  [
    'two transfers of one payout',
    `drop index payout_attempts_one_live; ${anAttempt('1')}; ${anAttempt('2')}`,
    'a payout has one transfer at a time',
  ],
  [
    'two payments under one number',
    `drop index payout_attempts_numbered; drop index payout_attempts_one_live; ${anAttempt('1')}; ${anAttempt('2')};
     update payout_attempts set payment_number = 7 where payout_id = '${approvedPayout}'`,
    'a payment has a key and a number of its own',
  ],
  [
    'two payments under one key',
    `alter table payout_attempts drop constraint payout_attempts_customer_transaction_id_account_id_key;
     drop index payout_attempts_one_live; ${anAttempt('1')}; ${anAttempt('2')};
     update payout_attempts set customer_transaction_id = '${newId()}' where payout_id = '${approvedPayout}'`,
    'a payment has a key and a number of its own',
  ],
  ['a transfer of another amount than was approved', anAttempt('1'), 'what is on its way is what was approved'],
  [
    'a payout that moved without a word',
    `update payouts set status = 'failed' where id = '${approvedPayout}'`,
    'a payout stands where its last move left it',
  ],
  [
    'a move that is missing',
    `insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
     values ('${newId()}', '${account.id}', now(), 'payout.stepped-back', 'recorded', true, 'system', 'payout',
       '${approvedPayout}', '{"changes": {"status": {"old": "sent", "new": "approved"}}}')`,
    'each move of a payout begins where the one before ended',
  ],
  [
    'an earning that is taken back',
    `update commission_entries set clawback = true where sale_id = '${disputedSale}'`,
    'only an earning is taken from a payout already made',
  ],
  [
    'a bonus that nobody gave',
    `insert into commission_entries (id, account_id, partner_id, amount, currency, kind, available_at, day, created_at)
     values ('${newId()}', '${account.id}', '${partnerIds[1]}', 100, 'usd', 'bonus', now(), current_date, now())`,
    'whoever gave or took by hand is on record',
  ],
  [
    'a bonus of another size than its award',
    `update goal_awards set bonus = bonus + 1 where account_id = '${account.id}'`,
    'a bonus is given for a goal that was reached, and taken back in turn until it is final',
  ],
  [
    'an award that was never given',
    `delete from commission_entries where award_id is not null`,
    'an award is given once, and adds up to its bonus or to nothing',
  ],
  [
    'an adjustment that is gone',
    `delete from commission_entries where kind = 'adjustment'`,
    'whoever gave or took by hand is in the ledger',
  ],
  [
    'a number that no payout was given',
    `update payouts set statement_number = 99 where id = '${paidPayout}'`,
    "a payout is in its account's currency, numbered by it, and its partner's",
  ],
  [
    'the period of a payout',
    `update payouts set period_start = period_start - 1 where id = '${paidPayout}'`,
    "a payout's entries were bound by its approval, and its period spans them",
  ],
  [
    'a paid payout without its moment',
    `update payouts set paid_at = null where id = '${paidPayout}'`,
    'a payout keeps the moment of its state',
  ],
  [
    'a paid payout without the day on which its money left',
    `update payouts set paid_on = null where id = '${paidPayout}'`,
    'a payout keeps the day on which its money left',
  ],
  [
    'an amount fixed before approval',
    `update payouts set amount = 1 where status = 'gathering'`,
    'nothing is fixed of a payout before its approval',
  ],
  [
    'a sale that was moved to another partner with all that follows from it',
    `update sales set partner_id = '${partnerIds[0]}', credit = jsonb_set(credit, '{line}', credit -> 'line' || '[]')
        where id = '${disputedSale}';
      update commission_entries set partner_id = '${partnerIds[1]}' where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is what was told of it',
  ],
  [
    'rates and entries that were raised together',
    `update sales set credit = jsonb_set(credit, '{ratesPpm,0}', '150000') where id = '${disputedSale}';
      update commission_entries set rate_ppm = 150000, amount = amount * 2 where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is what was told of it',
  ],
  [
    'a paid payout whose moves are gone',
    `delete from events where subject_id = '${paidPayout}'`,
    'a payout has moved from its beginning',
  ],
  [
    'an approval by somebody else',
    `with other as (insert into users (id, email, created_at, updated_at)
        values ('${newId()}', 'other@people.example', now(), now()) returning id)
      update payouts set approved_by = other.id from other where payouts.id = '${approvedPayout}'`,
    'a payout was approved when its moves say, and by whom',
  ],
  [
    'a payout that was paid under another reference',
    `update payouts set external_reference = 'bank 18' where id = '${paidPayout}'`,
    'a payout was paid under the reference that is on record',
  ],
  [
    'a payout that was paid an hour before',
    `update payouts set paid_at = paid_at - interval '1 hour' where id = '${paidPayout}'`,
    'a payout was paid when it was told to be',
  ],
  [
    'a hold that nobody ended',
    `update sales set hold_rule = 'self-referral', hold_policy = 'hold', hold_reason = 'The same person'
      where id = '${paidSale}'`,
    'a hold ends by itself, or by a person who is on record',
  ],
  [
    'figures of a lead under another account',
    `update lead_stats set account_id = '${newId()}' where lead_id = '${leadIds[0]}'`,
    'figures are kept with the account they belong to',
  ],
  [
    'a click of one account on a partner of another',
    `insert into clicks (id, account_id, partner_id, day, source, at, is_bot)
      values ('${newId()}', '${newId()}', '${partnerIds[0]}', '2026-03-01', 'push', '2026-03-01', true)`,
    'clicks are kept with the account they belong to',
  ],
  [
    'a sale of a lead that is not there',
    `update sales set lead_id = '${newId()}' where id = '${history.nobodysSale}'`,
    'every reference leads somewhere',
  ],
  [
    'every entry of a sale',
    `delete from commission_entries where sale_id = '${disputedSale}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    'a lead that is gone',
    `update leads set partner_id = null where id = '${leadIds[0]}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    "a partner's total, by one",
    `update total_stats set share = share - 1 where partner_id = '${partnerIds[1]}' and blueprint_id = '${NIL}'`,
    'the totals are the sum of the days',
  ],
  [
    'what a partner has earned, by one',
    `update total_stats set share = share + 1 where partner_id = '${partnerIds[0]}' and blueprint_id = '${NIL}'`,
    'what a partner has earned is their share and what was given by hand',
  ],
  [
    'a total that is gone',
    `delete from total_stats where account_id = '${account.id}'`,
    'the totals are the sum of the days',
  ],
  [
    "a lead's sales, by one",
    `update lead_stats set sales = sales + 1 where lead_id = '${leadIds[1]}'`,
    "a lead's figures are the sum of its sales",
  ],
  [
    "a lead's figures that are gone",
    `delete from lead_stats where lead_id = '${leadIds[0]}'`,
    "a lead's figures are the sum of its sales",
  ],
  [
    'a lead counted for an own link that has none',
    `insert into link_totals (account_id, link_id, leads) values ('${account.id}', '${newId()}', 1)`,
    'own links count what came of them',
  ],
  [
    'a day said to be added up without its reports',
    `insert into reported_days (account_id, day, version)
     select account_id, day, version from day_stats
     where account_id = '${account.id}' and partner_id = '${NIL}' and blueprint_id = '${NIL}' and revenue > 0 limit 1`,
    'the reports of a day are its figures',
  ],
  [
    'a sale counted for a promotion code that no sale used',
    `insert into code_totals (account_id, code, sales) values ('${account.id}', 'SPRING', 1)`,
    'promotion codes count the sales that used them',
  ],
  [
    'an own link with more clicks than its template',
    `insert into partner_links (id, account_id, partner_id, blueprint_id, key, name, destination_url, domain, created_at, updated_at)
     values ('${PERSON}', '${account.id}', '${partnerIds[0]}', '${PERSON}', 'abcdefghk', 'x', 'x', 'x', now(), now());
     insert into link_totals (account_id, link_id, clicks) values ('${account.id}', '${PERSON}', 1000000)`,
    "an own link counts no more than its template's link",
  ],
  [
    'a lead of another partner’s link',
    `update leads set link_id = '${newId()}' where id = '${leadIds[1]}'`,
    'own links and sub-IDs belong to the partner of what came of them',
  ],
  ['a picture of other bytes', aFile({ bytes: '00' }), 'a picture is the one that its hash is of'],
  [
    'a logo with too many bytes',
    aFile({ purpose: 'logo', bytes: '00'.repeat(200_001) }),
    'the pictures of an account have no more bytes than they may',
  ],
  [
    'a cover with too many bytes',
    aFile({ purpose: 'cover', bytes: '00'.repeat(500_001) }),
    'the pictures of an account have no more bytes than they may',
  ],
  [
    'a picture of no asset',
    aFile({ bytes: '00' }),
    'each picture has its address, and belongs to one asset or is the logo or the cover',
  ],
  [
    'addresses that begin with a domain that is not ready',
    `update accounts set portal_host = 'join.acme.example' where id = '${account.id}'`,
    'addresses given to partners begin with the account’s ready domain, or with none',
  ],
]

/** A credit note for the invoice of the paid payout, with some other values. */
function aCreditNote(other: Record<string, string>) {
  const values = { kind: "'credit-note'", turn: 'turn + 1', number: '2', id: `'${PERSON}'`, credits: 'id', ...other }
  const kept = `account_id payout_id partner_id prefix issued_on net tax_rate tax gross currency treatment snapshot
    created_at`.split(/\s+/)
  const columns = [...new Set([...kept, ...Object.keys(values)])]
  const chosen = columns.map((column) => values[column as keyof typeof values] ?? column)
  return `insert into invoices (${columns.join()}) select ${chosen.join()} from invoices where payout_id = '${paidPayout}'`
}

function aFile({ purpose = 'asset', bytes }: { purpose?: string; bytes: string }) {
  return `insert into files (id, account_id, purpose, key, sha256, type, width, height, bytes, created_at, updated_at)
    values ('${PERSON}', '${account.id}', '${purpose}', 'abcdefghijklmnopqrstuv', repeat('0', 64), 'image/png', 1, 1,
      decode('${bytes}', 'hex'), now(), now())`
}

class Enough extends Error {}

/** Returns the check's findings after a change past the database's own guards; then undoes the change. */
async function foundAfter(statement: string, check?: string) {
  let found: Awaited<ReturnType<typeof verifyLedger>> = []
  const work = transaction(asDatabaseOwner(db), async (tx) => {
    await tx.run`set local session_replication_role = replica`
    await changed(tx, statement)
    found = await verifyLedger(tx, check)
    throw new Enough()
  })
  await assert.rejects(work, Enough)
  return found
}

test('an empty ledger agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(await freshDatabase()), [])
})

test('the product’s own ledger agrees with itself', async () => assert.deepEqual(await verifyLedger(db), []))

for (const [what, statement, check] of tampering)
  test(`finds ${what}`, async () => {
    const found = await foundAfter(statement, check)
    assert.notEqual(found.length, 0)
    for (const { subject, expected, actual } of found) {
      assert.ok(subject)
      assert.notEqual(expected, actual)
    }
  })

test('clicks deleted after 400 days are not reported as missing', async () => {
  const found = await foundAfter(`
    insert into day_stats (account_id, partner_id, blueprint_id, day, clicks, unique_clicks)
      values ('${account.id}', '${NIL}', '${NIL}', current_date - 401, 7, 7);
    update total_stats set clicks = clicks + 7, unique_clicks = unique_clicks + 7
      where account_id = '${account.id}' and partner_id = '${NIL}' and blueprint_id = '${NIL}'`)
  assert.deepEqual(found, [])
})

test('every check has failed at least once', () => {
  const seen = new Set(tampering.map(([, , check]) => check))
  assert.deepEqual(
    listChecks().filter((check) => !seen.has(check)),
    [],
  )
})

test('a difference is reported with its subject and both figures', async () => {
  const found = await foundAfter(`update sales set refunded_amount = 1323 where id = '${refundedSale}'`)
  assert.deepEqual(found[0], {
    check: 'what a sale has lost is the sum of its refunds',
    subject: refundedSale,
    expected: '1322',
    actual: '1323',
  })
})

test('npm run verify-ledger exits with 0 if all agrees, else with 1 and the differences', async () => {
  const script = fileURLToPath(new URL('../../tributary.js', import.meta.url))
  const run = () =>
    promisify(execFile)(process.execPath, [script, 'verify-ledger'], {
      env: { PATH: process.env.PATH, DATABASE_URL: db.url },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  assert.deepEqual(await run(), {
    code: 0,
    stdout: `The ledger is consistent: ${listChecks().length + 1} checks, and 0 payments of providers read again.\n`,
    stderr: '',
  })

  await db.run`update lead_stats set sales = sales + 1 where lead_id = ${leadIds[1]}`
  assert.deepEqual(await run(), {
    code: 1,
    stdout: [
      `a lead's figures are the sum of its sales: ${leadIds[1]}`,
      '  expected sales 2, revenue 7688, share 577',
      '  actual   sales 3, revenue 7688, share 577',
      '1 difference.',
      '',
    ].join('\n'),
    stderr: '',
  })
})
