import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of the partner agreement, for partners. */
export const agreementWords = defineWords('agreement', 'partner', {
  heading: 'Partner agreement',
  region: 'Please accept the partner agreement',
  please: 'Please accept the partner agreement',
  read: 'Read',
  signIn: 'Sign in to accept the partner agreement',
  version: ({ version, date }: { version: Word; date: Word }) => `Version ${version}, published ${date}`,
  changed: 'What changed',
  original: ({ language }: { language: Word }) => `Read the original in ${language}`,
  waits: ({ date }: { date: Word }) => `From ${date}, your payouts will wait until you’ve accepted this version.`,
  accept: ({ version }: { version: Word }) => `Accept version ${version}`,
  accepted: 'Partner agreement accepted',
  acceptedOn: ({ version, date }: { version: Word; date: Word }) => `You accepted version ${version} on ${date}.`,
  wasAccepted: ({ version, date }: { version: Word; date: Word }) => `Version ${version} was accepted on ${date}.`,
  notAccepted: 'Not accepted yet.',
})

/** The words of the agreement’s settings. */
export const agreementSettingsWords = {
  heading: 'Agreement',
  none: 'There’s no agreement for partners to accept yet.',
  version: ({ version, date }: { version: Word; date: Word }) => `Version ${version}, published ${date}`,
  accepted: ({ count }: { count: number }) => `${formatNumber(count)} accepted`,
  waiting: ({ count }: { count: number }) => `${formatNumber(count)} waiting`,
  waitFrom: 'Payouts Wait From',
  waitFromHelp: 'From this day, partners aren’t paid until they’ve accepted. Choose a day at least 14 days from now.',
  from: ({ date }: { date: Word }) => `Payouts wait from ${date}`,
  never: 'Payouts don’t wait for it',
  changeDay: 'Change day',
  daySaved: 'Day saved',
  earlier: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} earlier version`, `${formatNumber(count)} earlier versions`),
  newVersion: 'New version',
  text: 'Text',
  textHelp: 'An empty line starts a paragraph, # a heading and - a list. Web addresses become links.',
  changes: 'What Changed',
  changesHelp: 'Partners see this with the text.',
  publish: ({ version }: { version: Word }) => `Publish version ${version}`,
  publishHeading: ({ version }: { version: Word }) => `Publish version ${version}?`,
  publishWhy: 'Partners are asked to accept it. It cannot be edited.',
  published: 'Partner agreement published',
  translate: 'Add translation',
  translateHelp: 'Partners who accepted this version are not asked again. It cannot be edited.',
  translated: 'Translation published',
  language: 'Language',
  chooseLanguage: 'Choose a language',
  languages: ({ languages }: { languages: Word }) => `In ${languages}`,
  view: 'View agreement',
}
