import { LONGEST_ANSWER, type Question } from '#contract/applications.ts'
import { formatNumber } from '#contract/format.ts'
import type { GroupReward } from '#contract/groups.ts'
import {
  currentLanguage,
  isEnglish,
  type Language,
  languageName,
  nativeName,
  withLanguage,
} from '#contract/language.ts'
import { decimalAmount, minorDigits, moneyInWords } from '#contract/money.ts'
import { pickText, type ReadText } from '#contract/pick-text.ts'
import { escapeHtml, parseProse, proseHtml, proseText } from '#contract/prose.ts'
import { rewardSentence } from '#contract/reward-sentence.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import { type SentenceWording, termsSentence } from '#contract/terms-sentence.ts'
import { parseMoney, typedMoney } from '#contract/typed-numbers.ts'
import { countryInWords, dayInWords, rateInWords } from '../../platform/format-values.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AgreementRow } from '../agreement/versions.ts'
import { coverUrl, type Look, logoUrl } from '../pictures/files.ts'
import type { Promised } from '../sales/promised-commission.ts'
import { LONGEST_EMAIL, LONGEST_NAME } from './form.ts'
import type { PageFacts } from './page-facts.ts'
import { pageStyle } from './page-style.ts'
import { pagePhrases as phrases } from './page-text.ts'

/** Values of a request, in addition to the facts of a page. */
export type PageRequest = {
  /** The origin of the account's addresses, without a trailing slash. */
  origin: string
  /** Today in the account's time zone. */
  today: string
  /** The signed time of the form. */
  issued: string
  /** Amount of the example, as typed. */
  amount?: string | undefined
  /** The recruiting partner, by the code in the address. */
  by?: { code: string; firstName: string | null } | undefined
  /** Values of a submitted form that is shown again. */
  typed?: Readonly<Record<string, string>> | undefined
  wrong?: Readonly<Record<string, string>> | undefined
  notice?: string | undefined
}

const DESCRIPTION = 160
const LARGEST_EXAMPLE = 1_000_000

/** The owner's texts of a page, each in its language if there is one, else in the owner's. */
function ownTexts({ account, program, group, language }: PageFacts) {
  const { language: base } = account
  return {
    headline: pickText(program, 'headline', base, language),
    text: pickText(program, 'text', base, language),
    rules: pickText(program, 'rules', base, language),
    publicName: group ? pickText(group, 'publicName', base, language) : null,
  }
}

const usualHeadline = ({ account }: PageFacts) =>
  account.name ? phrases.becomePartnerOf({ account: account.name }) : phrases.becomePartner

/** The name of a group below the heading. */
const nameOfGroup = (name: ReadText<string | null> | null) =>
  name?.value ? `<p class="name"${langOf(name)}>${escapeHtml(name.value)}</p>` : ''

/** Returns the title of a page with the name of its group. */
const titleWith = (heading: string, name: ReadText<string | null> | null) =>
  name?.value ? `${heading} – ${name.value}` : heading

/** Writes the public page of a program in its language. It needs no script and nothing from elsewhere. */
export const programPage = (facts: PageFacts, asked: PageRequest): string =>
  withLanguage(facts.language, () => writeProgram(facts, asked))

function writeProgram(facts: PageFacts, asked: PageRequest): string {
  if (facts.group?.reward) return writeForCustomers(facts, facts.group.reward, asked)
  const { program, group, path } = facts
  const { headline, text, rules, publicName } = ownTexts(facts)
  const heading = headline.value ?? usualHeadline(facts)
  const named = titleWith(heading, publicName)
  const isOpen = program.state === 'open' && !facts.isFull
  const languages = inLanguages(facts, asked.origin, group?.joinSlug)
  return document({
    title: asked.wrong || asked.notice ? phrases.error({ title: named }) : named,
    description: descriptionOf(facts),
    indexed: program.indexed,
    url: asked.origin + path,
    languages,
    look: facts.look,
    company: facts.account.name,
    picture: coverUrl(asked.origin, facts.look) ?? logoUrl(asked.origin, facts.look),
    body: [
      '<header class="hero"><div>',
      ...nameAndLogo(facts),
      `<h1${headline.value === null ? '' : langOf(headline)}>${escapeHtml(heading)}</h1>`,
      nameOfGroup(publicName),
      asked.by && isOpen && `<p class="muted">${escapeHtml(inviterIn(asked.by))}</p>`,
      sentence(facts) && `<p class="lead">${escapeHtml(sentence(facts))}</p>`,
      isOpen
        ? `<a class="button" href="#apply">${escapeHtml(phrases.applyNow)}</a>`
        : `<p class="muted">${escapeHtml(phrases.closed)}</p>`,
      `</div>${coverOf(facts.look)}</header>`,
      howItWorks(facts),
      calculator(facts, asked),
      earnings(facts),
      howPaid(facts),
      visits(facts),
      section('about', phrases.about, proseOf(text)),
      section('not-allowed', phrases.notAllowed, proseOf(rules)),
      section('apply', phrases.apply, isOpen ? form(facts, asked) : `<p>${escapeHtml(phrases.closed)}</p>`),
    ],
    footer: `${linksTo(languages, asked.by && `?by=${encodeURIComponent(asked.by.code)}`)}<p class="muted">${linked(phrases.signIn, `href="${escapeHtml(asked.origin)}/auth/sign-in"`)}</p>`,
  })
}

/** Writes the page of a group of customers: what friend and customer get. Their app enrolls them, so it has no form. */
function writeForCustomers(facts: PageFacts, reward: GroupReward, { origin }: PageRequest): string {
  const { account, program, group, look, path } = facts
  const heading = account.name ? phrases.inviteTo({ account: account.name }) : phrases.invite
  const promise = rewardPromise(facts, reward)
  const languages = inLanguages(facts, origin, group?.joinSlug)
  const { publicName } = ownTexts(facts)
  return document({
    title: titleWith(heading, publicName),
    description: promise,
    indexed: program.indexed,
    url: origin + path,
    languages,
    look,
    company: account.name,
    picture: coverUrl(origin, look) ?? logoUrl(origin, look),
    body: [
      '<header class="hero"><div>',
      ...nameAndLogo(facts),
      `<h1>${escapeHtml(heading)}</h1>`,
      nameOfGroup(publicName),
      `<p class="lead">${escapeHtml(promise)}</p>`,
      `<p>${escapeHtml(account.name ? phrases.signInForLink({ account: account.name }) : phrases.signInForYourLink)}</p>`,
      `</div>${coverOf(look)}</header>`,
    ],
    footer: linksTo(languages, undefined),
  })
}

function rewardPromise(facts: PageFacts, given: GroupReward) {
  const { account, promised, offer } = facts
  const { defaultCurrency: currency, recurringMonths } = account
  const reward = { unitName: null, unitValue: null, ...given }
  // the group's terms come before those of links
  const [{ terms } = { terms: NOTHING }] = promised
  const { rate, country } = wordingFor(facts)
  return rewardSentence({ offer, reward, terms, recurringMonths, currency }, { money: moneyInWords, rate, country })
}

const NOTHING = { rules: [], otherwise: { layerRates: [0] }, maxPerCustomer: null, maxPerMonth: null }

const inviterIn = ({ firstName }: NonNullable<PageRequest['by']>) =>
  firstName === null ? phrases.invitedByPartner : phrases.invitedBy({ name: firstName })

/** Returns the attribute that names the language of an owner's text where it is another one than the page's. */
const langOf = ({ language }: { language: Language }) =>
  language === currentLanguage() ? '' : ` lang="${escapeHtml(language)}"`

function proseOf(text: ReadText<string>) {
  const html = proseHtml(parseProse(text.value))
  return html && langOf(text) ? `<div${langOf(text)}>${html}</div>` : html
}

/** Returns a text as HTML, with the words in brackets as a link. */
const linked = (text: string, attributes: string) =>
  escapeHtml(text).replace(/\[(.*)\]/, (_, words: string) => `<a ${attributes}>${words}</a>`)

/** The page after the form was sent, alike for everyone. */
export const thanksPage = (facts: PageFacts, how: { origin: string; byMail: boolean }): string =>
  withLanguage(facts.language, () => writeThanks(facts, how))

const writeThanks = (facts: PageFacts, { origin, byMail }: { origin: string; byMail: boolean }) =>
  document({
    title: phrases.thanks.title,
    description: descriptionOf(facts),
    indexed: false,
    url: origin + facts.path,
    look: facts.look,
    picture: logoUrl(origin, facts.look),
    body: [
      '<header>',
      ...nameAndLogo(facts),
      `<h1>${escapeHtml(phrases.thanks.title)}</h1></header>`,
      `<section><p>${escapeHtml(byMail ? phrases.thanks.checkEmail : phrases.thanks.sent)}</p></section>`,
    ],
  })

/** The text of a version of the partner agreement, in a frame of the page's language. */
export const agreementPage = (facts: PageFacts, shown: AgreementRow, origin: string): string =>
  withLanguage(facts.language, () => writeAgreement(facts, shown, origin))

function writeAgreement(facts: PageFacts, shown: AgreementRow, origin: string) {
  const { account, program, path, language, endings, agreement: newest } = facts
  const { version, publishedAt } = shown
  const text = pickText(shown, 'text', shown.language, language)
  const changes = pickText(shown, 'changes', shown.language, language)
  const original = text.language === shown.language ? undefined : endings.get(shown.language)
  const { title, titleOf } = phrases.agreement
  const languages = inLanguages(facts, origin, undefined, '/agreement')
  const published = dayInWords(dayIn(account.timeZone, new Date(publishedAt)))
  return document({
    title: account.name ? titleOf({ account: account.name }) : title,
    description: `${phrases.agreement.version({ version, published })}.`,
    indexed: program.indexed && version === newest,
    url: `${origin}/join/${program.slug}${endings.get(language)}/agreement`,
    languages,
    look: facts.look,
    picture: logoUrl(origin, facts.look),
    body: [
      '<header>',
      ...nameAndLogo(facts),
      `<h1>${escapeHtml(title)}</h1>`,
      `<p class="muted">${escapeHtml(phrases.agreement.version({ version, published }))}</p>`,
      '</header>',
      version !== newest &&
        newest !== null &&
        `<p class="notice">${linked(phrases.agreement.replaced({ version: newest }), `href="${path}/agreement"`)}</p>`,
      original !== undefined &&
        `<p>${linked(
          phrases.agreement.original({ language: languageName(shown.language) }),
          `href="/join/${program.slug}${original}/agreement?version=${version}" hreflang="${escapeHtml(shown.language)}"`,
        )}</p>`,
      section(
        'what-changed',
        phrases.agreement.changed,
        changes.value === null ? '' : `<p${langOf(changes)}>${escapeHtml(changes.value)}</p>`,
      ),
      `<section${langOf(text)}>${proseHtml(parseProse(text.value), 2)}</section>`,
    ],
    footer: `${linksTo(languages)}<p class="muted"><a href="${path}">${escapeHtml(phrases.agreement.toProgram)}</a></p>`,
  })
}

/** The account's cover picture, or one in its color. */
const coverOf = ({ cover }: Look) =>
  cover
    ? `<img class="cover" src="${escapeHtml(cover.path)}" alt="" width="${cover.width}" height="${cover.height}">`
    : '<div class="cover" aria-hidden="true"></div>'

const nameAndLogo = ({ account, look: { logo } }: PageFacts) => [
  logo && `<img class="logo" src="${escapeHtml(logo.path)}" alt="" width="${logo.width}" height="${logo.height}">`,
  account.name && `<p class="name">${escapeHtml(account.name)}</p>`,
]

/** Alike for an address that was never there and a page that is off. */
export const noPage = (): string =>
  document({
    title: phrases.missing.title,
    description: phrases.missing.text,
    indexed: false,
    body: [
      `<header><h1>${escapeHtml(phrases.missing.title)}</h1></header>`,
      `<p>${escapeHtml(phrases.missing.text)}</p>`,
    ],
  })

/** Shown to a network that sent too many forms; `wait` is when to try again. */
export const waitPage = (wait: string): string =>
  document({
    title: phrases.wait.error,
    description: wait,
    indexed: false,
    body: [
      `<header><h1>${escapeHtml(phrases.wait.title)}</h1></header>`,
      `<p>${escapeHtml(phrases.wait.text({ wait }))}</p>`,
    ],
  })

type Document = {
  title: string
  description: string
  indexed: boolean
  url?: string
  /** Addresses of the same page in each of its languages, the base first. */
  languages?: InLanguage[]
  look?: Look
  company?: string | null
  /** Shown in previews of links to the page. */
  picture?: string | null
  body: (string | false | null | undefined)[]
  footer?: string
}

const document = ({
  title,
  description,
  indexed,
  url,
  languages = [],
  look,
  company,
  picture,
  body,
  footer,
}: Document) =>
  [
    `<!doctype html>\n<html lang="${escapeHtml(currentLanguage())}">\n<head>\n<meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    !indexed && '<meta name="robots" content="noindex">',
    url && `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...languages.map(({ language, url }) => alternate(language, url)),
    languages[0] && alternate('x-default', languages[0].url),
    url && `<meta property="og:url" content="${escapeHtml(url)}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:description" content="${escapeHtml(description)}">`,
    picture && `<meta property="og:image" content="${escapeHtml(picture)}">`,
    company && `<meta property="og:site_name" content="${escapeHtml(company)}">`,
    url && `<meta name="twitter:card" content="${look?.cover ? 'summary_large_image' : 'summary'}">`,
    `<style>${pageStyle(look?.accent ?? null).text}</style>\n</head>\n<body>\n<main>`,
    ...body,
    '</main>',
    footer && `<footer>${footer}</footer>`,
    '</body>\n</html>\n',
  ]
    .filter(Boolean)
    .join('\n')

const alternate = (language: string, url: string) =>
  `<link rel="alternate" hreflang="${escapeHtml(language)}" href="${escapeHtml(url)}">`

type InLanguage = { language: Language; url: string }

/** Returns the addresses of a page in each of its languages; none if it has only one. */
const inLanguages = ({ program, endings }: PageFacts, origin: string, joinSlug?: string, below = ''): InLanguage[] =>
  endings.size < 2
    ? []
    : Array.from(endings, ([language, ending]) => ({
        language,
        url: `${origin}${['/join', program.slug, ...(joinSlug ? [joinSlug] : [])].join('/')}${ending}${below}`,
      }))

/** Returns links to the page in its other languages, in their own names. */
function linksTo(languages: readonly InLanguage[], query = '') {
  const links = languages
    .filter(({ language }) => language !== currentLanguage())
    .map(({ language, url }) => {
      const lang = escapeHtml(language)
      return `<a href="${escapeHtml(url + query)}" hreflang="${lang}" lang="${lang}">${escapeHtml(nativeName(language))}</a>`
    })
  return links.length > 0
    ? `<nav aria-label="${escapeHtml(phrases.otherLanguages)}"><p>${links.join(' · ')}</p></nav>`
    : ''
}

function descriptionOf(facts: PageFacts) {
  const { account } = facts
  const { text } = ownTexts(facts)
  const words = langOf(text) ? '' : proseText(parseProse(text.value)).join(' ').replace(/\s+/g, ' ')
  const { joinProgram, joinProgramOf } = phrases
  const signs = [
    ...(words || sentence(facts) || (account.name ? joinProgramOf({ account: account.name }) : joinProgram)),
  ]
  return signs.length > DESCRIPTION
    ? `${signs
        .slice(0, DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`
    : signs.join('')
}

const section = (id: string, heading: string, content: string) =>
  content &&
  `<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${escapeHtml(heading)}</h2>${content}</section>`

const paysSomething = ({ terms }: Promised) =>
  [terms.otherwise, ...terms.rules].some((pay) => (pay.layerRates ?? pay.layerAmounts ?? [])[0]! > 0)

/** The way from this page to money, in three steps. */
function howItWorks({ cookieDays, howPaid }: PageFacts) {
  const [whenPaid] = howPaid()
  const words = phrases.steps
  const steps = [
    [words.apply, words.fillIn],
    [words.share, cookieDays === null ? words.ownLink : `${words.ownLink} ${words.counted({ count: cookieDays })}`],
    [words.paid, whenPaid ?? words.addsUp],
  ] as const
  const items = steps.map(([name, text]) => `<li><h3>${escapeHtml(name)}</h3><p>${escapeHtml(text)}</p></li>`)
  return section('how-it-works', words.title, `<ol class="steps">${items.join('')}</ol>`)
}

const isPaid = ({ promised }: PageFacts) => promised.some(paysSomething)

const calculator = (facts: PageFacts, asked: PageRequest) =>
  isPaid(facts) ? section('earn', phrases.example.title, example(facts, asked)) : ''

/** Lists the terms in force; nothing if nothing is paid. */
const earnings = (facts: PageFacts) =>
  isPaid(facts)
    ? section('terms', phrases.earnings.title, facts.promised.map((one) => termsOf(one, wordingFor(facts))).join(''))
    : ''

const wordingFor = ({ account: { defaultCurrency, recurringMonths } }: PageFacts): SentenceWording => ({
  reader: 'partner',
  recurringMonths,
  money: (amount) => moneyInWords(amount, defaultCurrency),
  rate: rateInWords,
  country: countryInWords,
})

/** Returns what any partner earns, in one sentence; empty if nothing is paid. */
function sentence(facts: PageFacts) {
  const paid = facts.promised.find(paysSomething)
  return paid ? termsSentence(paid.terms, { ...wordingFor(facts), reader: 'owner' }) : ''
}

function termsOf({ linkName, terms }: Promised, wording: SentenceWording) {
  const { lines, caps } = termsInWords(terms, wording)
  const rows = lines.map(({ what, pays }) => `<div><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(pays)}</dd></div>`)
  return [
    linkName === null ? '' : `<h3>${escapeHtml(phrases.earnings.withLink({ link: linkName }))}</h3>`,
    `<dl>${rows.join('')}</dl>`,
    ...caps.map((cap) => `<p>${escapeHtml(cap)}.</p>`),
  ].join('')
}

/** Returns the amount of the example in minor units; null for one that is none. */
function amountIn(typed: string, currency: string) {
  const amount = parseMoney(typed, currency) ?? 0
  return amount > 0 && amount <= LARGEST_EXAMPLE * 10 ** minorDigits(currency) ? amount : null
}

function example({ account, promised, path }: PageFacts, { amount = '', by, today }: PageRequest) {
  const { defaultCurrency: currency } = account
  const usual = 100 * 10 ** minorDigits(currency)
  const given = amount === '' ? usual : amountIn(amount, currency)
  const isFirst = promised.some(({ terms }) => terms.rules.length > 0)
  const words = phrases.example
  const results = promised.map(({ linkName, earnedOf }) => {
    const amount = `<strong>${moneyInWords(earnedOf(given ?? usual, today), currency)}</strong>`
    return linkName === null ? words.earn({ amount }) : words.earnWith({ link: escapeHtml(linkName), amount })
  })
  const value = given === null ? amount : plainMoney(given, currency)
  const wrong = words.wrong({ least: plainMoney(1, currency), most: formatNumber(LARGEST_EXAMPLE) })
  return [
    `<form method="get" action="${path}#earn"><p class="example">`,
    by && `<input type="hidden" name="by" value="${escapeHtml(by.code)}">`,
    `<label for="amount">${escapeHtml(isFirst ? words.firstSale : words.sale)}</label>`,
    `<input id="amount" name="amount" inputmode="decimal" maxlength="12" value="${escapeHtml(value.slice(0, 20))}"${given === null ? ' aria-invalid="true" aria-describedby="amount-wrong"' : ''}>`,
    `<span>${currency.toUpperCase()}</span>`,
    given === null
      ? `<span class="wrong" id="amount-wrong">${escapeHtml(wrong)}</span>`
      : `<span>${results.join(', ')}</span>`,
    `<button>${escapeHtml(words.calculate)}</button></p></form>`,
  ]
    .filter(Boolean)
    .join('')
}

/** Formats an amount as one would type it. */
const plainMoney = (amount: number, currency: string) =>
  isEnglish() ? decimalAmount(amount, currency) : typedMoney(amount, currency)

function howPaid({ howPaid: say }: PageFacts) {
  const all = [...say(), phrases.paid.first]
  return section('paid', phrases.paid.title, listOf(all))
}

const listOf = (items: readonly string[]) => `<ul>${items.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`

function visits({ cookieDays, attribution }: PageFacts) {
  if (cookieDays === null) return ''
  const counted = phrases.visits.counted({ count: cookieDays })
  return section(
    'visits',
    phrases.visits.title,
    listOf(attribution ? [counted, phrases.visits[attribution]] : [counted]),
  )
}

type Field = {
  name: string
  label: string
  /** The attribute with the language of an owner's label. */
  lang: string
  typed: string
  wrong: string | undefined
  required: boolean
  longest: number
}

function form(facts: PageFacts, asked: PageRequest) {
  const { account, language, program, path, agreement } = facts
  const words = phrases.form
  const { typed = {}, wrong = {}, by, issued, notice } = asked
  const field = (name: string, label: string, longest: number, required = true, lang = ''): Field => ({
    name,
    label,
    lang,
    required,
    longest,
    typed: (typed[name] ?? '').slice(0, longest).toWellFormed(),
    wrong: wrong[name],
  })
  const message = notice ?? (Object.keys(wrong).length > 0 ? words.check : undefined)
  const input = (given: Field, more: string) =>
    framed(given, (ids) => `<input ${ids} ${more} maxlength="${given.longest}" value="${escapeHtml(given.typed)}">`)
  return [
    message && `<p class="notice" role="alert">${escapeHtml(message)}</p>`,
    `<form method="post" action="${path}#apply">`,
    '<div class="pair">',
    input(field('firstName', words.firstName, LONGEST_NAME), 'autocomplete="given-name"'),
    input(field('lastName', words.lastName, LONGEST_NAME), 'autocomplete="family-name"'),
    '</div>',
    input(field('email', words.email, LONGEST_EMAIL), 'type="email" autocomplete="email"'),
    ...program.questions.map((question, at) => {
      const label = pickText(question, 'label', account.language, language)
      const choices = pickText(question, 'choices', account.language, language).value
      const labelled = field(`q${at}`, label.value, LONGEST_ANSWER, question.required, langOf(label))
      return asQuestion(question, choices, labelled)
    }),
    agreement !== null && asAgreement(path, agreement, field('agreement', '', LONGEST_ANSWER)),
    `<p class="fax"><label for="fax">${escapeHtml(words.leaveEmpty)}</label>`,
    '<input id="fax" name="fax" tabindex="-1" autocomplete="off"></p>',
    `<input type="hidden" name="issued" value="${escapeHtml(issued)}">`,
    by && `<input type="hidden" name="by" value="${escapeHtml(by.code)}">`,
    `<button>${escapeHtml(phrases.apply)}</button></form>`,
  ]
    .filter(Boolean)
    .join('')
}

/** The box is ticked again only for the version that was read. */
function asAgreement(path: string, version: number, field: Field) {
  const { typed, wrong } = field
  const described = wrong ? ' aria-invalid="true" aria-describedby="agreement-wrong"' : ''
  return [
    '<div class="field"><label class="choice" for="agreement">',
    `<input id="agreement" type="checkbox" name="agreement" value="${version}"${typed === `${version}` ? ' checked' : ''} required${described}>`,
    `${linked(phrases.form.accept, `href="${path}/agreement" target="_blank" rel="noopener"`)}</label>`,
    `${wrongOf(field)}</div>`,
  ].join('')
}

const labelOf = ({ label, lang, required }: Field) =>
  `${lang ? `<span${lang}>${escapeHtml(label)}</span>` : escapeHtml(label)}${required ? '' : ` <span class="hint">${escapeHtml(phrases.form.optional)}</span>`}`

/** A field with its label and what is wrong with it. */
function framed(field: Field, control: (ids: string) => string) {
  const { name, wrong, required } = field
  const ids = `id="${name}" name="${name}"${required ? ' required' : ''}${wrong ? ` aria-invalid="true" aria-describedby="${name}-wrong"` : ''}`
  return `<div class="field"><label for="${name}">${labelOf(field)}</label>${control(ids)}${wrongOf(field)}</div>`
}

const wrongOf = ({ name, wrong }: Field) =>
  wrong ? `<p class="wrong" id="${name}-wrong">${escapeHtml(wrong)}</p>` : ''

/** A choice is sent in the words of the question itself, whatever its reader's language. */
function asQuestion({ kind, choices: values }: Question, choices: readonly string[], field: Field) {
  const { name, lang, typed, required, wrong } = field
  if (kind === 'choice')
    return framed(field, (ids) => {
      const options = values.map((value, at) => {
        const words = choices[at] ?? value
        const sent = words === value ? '' : ` value="${escapeHtml(value)}"`
        return `<option${sent}${lang}${value === typed ? ' selected' : ''}>${escapeHtml(words)}</option>`
      })
      return `<select ${ids}><option value="">${escapeHtml(phrases.form.choose)}</option>${options.join('')}</select>`
    })
  if (kind === 'yes-no') {
    const described = wrong ? ` aria-describedby="${name}-wrong"` : ''
    const labels = { Yes: phrases.form.yes, No: phrases.form.no }
    const radios = Object.entries(labels).map(
      ([one, words]) =>
        `<label class="choice"><input type="radio" name="${name}" value="${one}"${one === typed ? ' checked' : ''}${required ? ' required' : ''}>${escapeHtml(words)}</label>`,
    )
    return `<fieldset class="field"${described}><legend>${labelOf(field)}</legend>${radios.join('')}${wrongOf(field)}</fieldset>`
  }
  if (kind === 'url')
    return framed(
      field,
      (ids) =>
        `<input ${ids} type="url" placeholder="https://" maxlength="${field.longest}" value="${escapeHtml(typed)}">`,
    )
  return framed(field, (ids) => `<textarea ${ids} maxlength="${field.longest}">${escapeHtml(typed)}</textarea>`)
}
