/** The words of the year report, a tab of the payouts. */
export const yearReportWords = {
  heading: 'Year report',
  year: 'Year',
  threshold: 'Threshold for {{year}}',
  byLaw: 'IRS threshold for 1099-NEC',
  ownThreshold: 'Set for this account',
  noThreshold: 'None',
  changeThreshold: 'Change threshold',
  thresholdWhy: 'Partners who were paid this much or more in {{year}} are marked. No forms are filed for you.',
  thresholdField: 'Threshold',
  thresholdHelp: 'Leave empty to use {{amount}}.',
  thresholdHelpNone: 'Leave empty for none.',
  thresholdSaved: 'Threshold saved',

  partner: 'Partner',
  plural: 'partners',
  approved: 'Approved',
  paid: 'Paid',
  method: 'Method',
  several: 'Several',
  taxForm: 'Tax form',
  over: 'Over threshold',
  total: 'Total',
  formsMissing: '{{count, number}} needed',
  noForm: 'No form',
  states: { 'on-file': 'On file', expired: 'Expired', missing: 'Missing' },
  toApprove: 'To approve',
  empty: 'Payments to each partner in the year appear here, with approval and tax form.',

  approve: 'Approve for {{year}}',
  allApproved: 'All selected partners are already approved for {{year}}',
  remove: 'Remove approval for {{year}}',

  waiting_one: '{{count, number}} partner isn’t approved for {{year}} yet and can’t be paid from January 1.',
  waiting_other: '{{count, number}} partners aren’t approved for {{year}} yet and can’t be paid from January 1.',
  review: 'Review list',
  approveAll: 'Approve {{count, number}} for {{year}}',
  approveAllWhy_one:
    'This approves the {{count, number}} partner who was approved for {{last}} or still has money to be paid. Suspended partners are excluded.',
  approveAllWhy_other:
    'This approves the {{count, number}} partners who were approved for {{last}} or still have money to be paid. Suspended partners are excluded.',
} as const
