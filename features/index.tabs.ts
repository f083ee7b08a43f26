// The tabs of features under the entries of the sidebar, in order.

export { announcementTab as announcements } from './announcements/web/tab.ts'
export { assetTab as assets } from './assets/web/tab.ts'
export { claimTab as claims } from './claims/web/tab.ts'
export { caseTab as fraudCases } from './fraud-cases/web/tab.ts'
export { promotionCodeTab as promotionCodes } from './promotion-codes/web/tab.ts'
export { reportTab as reports } from './reports/web/tab.ts'
