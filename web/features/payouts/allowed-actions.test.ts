import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Blocker, Payout } from '#contract/payouts.ts'
import { findMainAction, whyNot } from './allowed-actions.ts'

type Shown = Parameters<typeof findMainAction>[0]
const shown = (status: Payout['status'], codes: Blocker['code'][], more: Partial<Shown> = {}): Shown => ({
  status,
  method: 'wise',
  attempts: [],
  blockers: codes.map((code) => ({ code, message: code })),
  firstApproval: null,
  ...more,
})

test('a blocked payout has no primary action, unless only a person can pay it', () => {
  for (const code of ['no-deposit-info', 'details-rejected', 'currency-unsupported'] as const)
    assert.equal(findMainAction(shown('open', [code, 'no-method'])), 'markPaid')
  assert.equal(findMainAction(shown('open', ['no-deposit-info', 'not-approved-this-year'])), 'markPaid')
  assert.equal(findMainAction(shown('open', ['not-approved-this-year'])), undefined)
  assert.equal(findMainAction(shown('failed', ['wise-rejected-recipient'])), undefined)
  assert.equal(findMainAction(shown('failed', [])), 'retry')
  assert.equal(findMainAction(shown('due', ['deposit-info-changed-recently'])), 'approve')
})

test('marking as paid is refused by blockers that no day and no other means of payment lift', () => {
  for (const code of ['partner-disabled', 'agreement-not-accepted', 'invoice-details-missing'] as const)
    assert.equal(whyNot('markPaid', shown('open', [code])), code)
  // the partner may have been approved, or have had a form, on the day it was paid
  for (const code of ['not-approved-this-year', 'tax-form-missing', 'no-deposit-info', 'below-minimum'] as const)
    assert.equal(whyNot('markPaid', shown('open', [code])), undefined)
})

test('marking as paid waits for the first of two approvals', () => {
  const first = { userId: 'a', name: 'Maya Chen', at: '2026-01-01T00:00:00.000Z' }
  assert.equal(whyNot('markPaid', shown('due', ['second-approval'])), 'second-approval')
  assert.equal(whyNot('markPaid', shown('due', ['second-approval'], { firstApproval: first })), undefined)
})
