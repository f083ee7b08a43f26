/** Programs whose files are recognized, with the parameter of their links; null if it isn’t known. */
export const oldPrograms = {
  dub: { name: 'Dub', parameter: 'via' },
  rewardful: { name: 'Rewardful', parameter: 'via' },
  firstpromoter: { name: 'FirstPromoter', parameter: 'fpr' },
  tapfiliate: { name: 'Tapfiliate', parameter: 'ref' },
  partnerstack: { name: 'PartnerStack', parameter: null },
  tolt: { name: 'Tolt', parameter: 'aff' },
  'post-affiliate-pro': { name: 'Post Affiliate Pro', parameter: 'a_aid' },
  goaffpro: { name: 'GoAffPro', parameter: 'ref' },
  uppromote: { name: 'UpPromote', parameter: 'ref' },
  affiliatewp: { name: 'AffiliateWP', parameter: 'ref' },
  referralcandy: { name: 'ReferralCandy', parameter: null },
} as const satisfies Record<string, { name: string; parameter: string | null }>

export type OldProgram = keyof typeof oldPrograms
