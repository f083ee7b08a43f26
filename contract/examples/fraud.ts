import type * as room from '../fraud.ts'
import { type FraudRules, noFraudRules } from '../fraud.ts'
import type { ExamplesOf } from './example.ts'

const rules: FraudRules = {
  ...noFraudRules,
  existingCustomer: { action: 'hold' },
  paidAds: { action: 'flag', campaigns: ['spring-2026'] },
  bannedReferrer: { action: 'hold', hosts: ['*.coupons.example'] },
}

export const fraud: ExamplesOf<typeof room> = {
  getFraudRules: { reply: rules },
  saveFraudRules: { body: rules, reply: rules },
}
