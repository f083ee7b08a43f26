import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of applications. */
export const applicationWords = {
  tab: 'Applications',
  application: 'Application',
  view: 'View application',
  plural: 'applications',
  applicant: 'Applicant',
  applied: 'Applied',
  age: 'Age',
  flags: 'Flags',
  recruitedBy: 'Recruited by',
  answers: 'Answers',
  none: 'Applications from your program page appear here.',
  setUp: 'Set up your program page',
  emptied: 'Deleted applicant',
  from: ({ name }: { name: Word }) => `Application from ${name}`,
  gone: 'This application doesn’t exist, or it was deleted.',
  noAnswers: 'The form asked no questions.',
  noAnswer: 'Not answered',
  confirmed: 'Email confirmed',
  decided: 'Decided',
  decidedBy: ({ date, name }: { date: Word; name: Word }) => `${date} by ${name}`,
  automatically: ({ date }: { date: Word }) => `${date}, automatically`,
  agreement: 'Partner agreement',
  ticked: ({ version }: { version: Word }) => `Ticked version ${version}`,
  message: 'Message',
  viewPartner: 'View partner',

  flag: {
    customer: 'Customer',
    'same-network': 'Same network',
    'former-partner': 'Former partner',
    'email-not-confirmed': 'Email not confirmed',
    automatic: 'Automatic',
  },
  flagWhy: {
    customer: 'A lead with a sale has this email.',
    'same-network': 'Another application came from this network on the same day.',
    'former-partner': 'A suspended or archived partner has or had this email.',
    'email-not-confirmed': 'The applicant hasn’t confirmed that this email is theirs.',
    automatic: 'A bot filled in the form. The application is deleted after a week.',
  },
  parentProblem: {
    suspended: 'Suspended, so they don’t become the parent partner.',
    archived: 'Archived, so they don’t become the parent partner.',
    'too-many-layers': 'Too many layers above, so they don’t become the parent partner.',
  },

  groupProblem: { deleted: 'This group was deleted. Choose another one to approve.' },
  chooseAnother: ({ group }: { group: Word }) => `${group} was deleted. Choose another group.`,
  toDefault: ({ group }: { group: Word }) => `${group} was deleted, so the partner joins the default group.`,

  approve: 'Approve',
  approveHeading: ({ count }: { count: number }) =>
    formatPlural(count, `Approve ${formatNumber(count)} application`, `Approve ${formatNumber(count)} applications`),
  approveWhy: ({ count }: { count: number }) =>
    formatPlural(
      count,
      'The applicant becomes a partner and is invited by email. This can’t be undone, but you can suspend the partner.',
      'The applicants become partners and are invited by email. This can’t be undone, but you can suspend partners.',
    ),
  approved: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} application approved`, `${formatNumber(count)} applications approved`),
  reject: 'Reject',
  rejectHeading: ({ count }: { count: number }) =>
    formatPlural(count, `Reject ${formatNumber(count)} application`, `Reject ${formatNumber(count)} applications`),
  rejected: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} application rejected`, `${formatNumber(count)} applications rejected`),
  chooseReason: 'Choose a reason',
  reasons: {
    'not-a-fit': 'Not a fit',
    incomplete: 'Incomplete',
    region: 'Region',
    policy: 'Against our rules',
    spam: 'Spam',
    other: 'Other',
  },
  messageHelp: 'Emailed to the applicant.',
  silent: 'Send no email',
  tooMany: ({ max }: { max: Word }) => `Select at most ${max} applications`,
  noneWaits: 'None of the selected applications is waiting',
  notDecided: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} application is unchanged`,
      `${formatNumber(count)} applications are unchanged`,
    ),
  passOn: 'Email isn’t set up on this server. Copy the invitation links and send them yourself.',
  result: 'Result',
}

/** The words of a program page’s settings. */
export const programWords = {
  page: 'Program page',
  saved: 'Program page saved',
  status: 'Status',
  states: { off: 'Off', open: 'Open', closed: 'Closed' },
  stateHelp: {
    off: 'There is no page.',
    open: 'Anyone with the address can apply.',
    closed: 'The page says that you’re not taking applications.',
  },
  slug: 'Address',
  slugHelp: ({ address }: { address: Word }) => `${address} · Former addresses redirect here.`,
  headline: 'Headline',
  usualHeadline: ({ account }: { account: Word | null }) =>
    account ? `Become a partner of ${account}` : 'Become a partner',
  about: 'About',
  aboutHelp: 'An empty line starts a paragraph, # a heading and - a list. Web addresses become links.',
  rules: 'Not Allowed',
  rulesHelp: 'What partners must not do, such as bidding on your name in search ads.',
  indexed: 'Visible to search engines',
  viewPage: 'View page',
  copyLink: 'Copy link',
  preview: 'Preview',
  previewNote:
    'What partners earn and how they’re paid is added from your terms, so the page never promises anything else.',
  notAllowed: 'Not allowed',

  applications: 'Applications',
  applicationsSaved: 'Application form saved',
  questionsHelp: 'The form asks for first name, last name and email. Add anything else you need to know.',
  row: ({ number }: { number: Word }) => `Question ${number}`,
  question: 'Question',
  answer: 'Answer',
  kinds: { text: 'Text', url: 'Web address', choice: 'Choice', 'yes-no': 'Yes or no' },
  choices: 'Choices',
  choicesHelp: 'One on each line.',
  choicesInOrder: 'One on each line, in the same order.',
  required: 'Required',
  addQuestion: 'Add question',
  editQuestion: ({ number }: { number: Word }) => `Edit question ${number}`,
  removeQuestion: ({ number }: { number: Word }) => `Remove question ${number}`,
  autoApprove: 'Approve automatically',
  autoApproveHelp: 'As soon as an applicant confirms their email, unless the application has a flag.',
  reapply: 'Apply Again After',
  reapplyHelp: 'Counted from the day of the rejection.',
  reapplyDays: ({ days }: { days: number }) => formatPlural(days, `${days} day`, `${days} days`),
  atOnce: 'At once',
  never: 'Never',
}
