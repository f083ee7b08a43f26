import type { FraudRule } from '#contract/fraud.ts'

/** The names of the fraud rules. */
export const fraudRuleWords: Record<FraudRule, string> = {
  'self-referral': 'Self-referral',
  'existing-customer': 'Existing customer',
  'paid-ads': 'Paid ads',
  'banned-referrer': 'Banned site',
  'duplicate-partner': 'Duplicate partner',
  'refund-rate': 'Refund rate',
  speed: 'Lead speed',
  'disposable-mail': 'Throwaway email',
}

/** The names of what a rule does. */
export const fraudActionWords = { off: 'Off', flag: 'Flag', hold: 'Hold' } as const
