// The words of each feature on the screens of others.
export * as announcements from './announcements/outside-text.ts'
export * as material from './assets/outside-text.ts'
export * as claims from './claims/outside-text.ts'
export * as embed from './embed/outside-text.ts'
export * as cases from './fraud-cases/outside-text.ts'
export * as 'promotion-codes' from './promotion-codes/outside-text.ts'
export * as reports from './reports/outside-text.ts'
export * as 'tax-years' from './tax-years/outside-text.ts'
