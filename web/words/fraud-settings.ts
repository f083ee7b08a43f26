/** The words of the settings of fraud rules. */
export const fraudWords = {
  heading: 'Fraud rules',
  why: 'A finding opens a case in Fraud review. A hold ends after 30 days without a decision.',
  openDesk: 'Open fraud review',
  saved: 'Fraud rules saved',
  help: {
    existingCustomer: 'The customer bought before the visit or referral.',
    paidAds: 'The visit came from an ad, such as one on your own name.',
    bannedReferrer: 'The visit came from a site on your list.',
    duplicatePartner: 'Two partners share payout details, or applied from the same network on the same day.',
    refundRate: 'Too many refunds or lost disputes in 90 days, from four customers on.',
    speed: 'A partner has more leads within an hour than this.',
    disposableMail: 'The customer’s email is a throwaway address.',
  },
  campaigns: 'Your Own Campaigns',
  campaignsHelp: 'Values of utm_campaign, utm_id, gad_campaignid or campaignid of your own ads.',
  addCampaign: 'Add a campaign',
  hosts: 'Banned Sites',
  hostsHelp: 'Use * for any beginning or end: *.coupons.example, deals*.',
  addHost: 'Add a site',
  percent: 'Refunds from (%)',
  leadsPerHour: 'Leads an Hour',
} as const
