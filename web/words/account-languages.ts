/** Texts of the languages of an account and of its partners. */
export const accountLanguageWords = {
  language: 'Language',
  help: 'The language you write in. Emails to partners use theirs.',
  page: 'Page Languages',
  pageHelp: 'Your program page is in these languages too, each at an address of its own.',
  partnerHelp: 'For emails, until they choose one in their profile.',
  texts: 'Languages',
  notTranslated: 'Not translated',
  asAccount: 'Same as your account',
}
