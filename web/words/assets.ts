import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of assets as partners see them, and of the look of a program. */
export const assetWords = defineWords('asset', 'partner', {
  tab: 'Assets',
  all: 'All assets',
  none: 'Your program has no assets yet.',
  yours: 'Assets',
  copyText: ({ name }: { name: Word }) => `Copy text of ${name}`,
  copyHtml: ({ name }: { name: Word }) => `Copy HTML of ${name}`,
  download: 'Download',
  downloadOf: ({ name }: { name: Word }) => `Download ${name}`,
})

export const brandWords = {
  heading: 'Branding',
  resource: 'Branding',
  help: 'Partners see these on their screens, on your program page and in emails.',
  logo: 'Logo',
  logoHelp: 'A PNG, JPEG, WebP or GIF up to 200 kB.',
  cover: 'Cover Picture',
  coverHelp:
    'At the top of your program page, and where its address is shared. A PNG, JPEG, WebP or GIF up to 500 kB, such as 1200 × 630 pixels.',
  accent: 'Accent Color',
  accentHelp: 'Any color, such as #3347c4. Links are made lighter or darker where they’d be hard to read.',
  pick: 'Choose a color',
  sample: 'Sample',
  themes: { light: 'Light', dark: 'Dark' },
  sampleButton: 'Button',
  sampleLink: 'Link',
  sampleText: 'Text with a',
}

export const hostWords = {
  placeholder: 'partners.example.com',
  heading: 'Own Domain',
  help: 'Links, pages and emails for your partners use it instead of this server’s address.',
  domain: 'Domain',
  domainHelp: 'A subdomain of yours that leads nowhere else. Without one, addresses are this server’s.',
  records: 'Add these records where you manage the DNS of your domain.',
  record: ({ kind }: { kind: Word }) => `${kind} record`,
  name: 'Name',
  value: 'Value',
  copyName: ({ kind }: { kind: Word }) => `Copy name of the ${kind} record`,
  copyValue: ({ kind }: { kind: Word }) => `Copy value of the ${kind} record`,
  noCname: 'If a CNAME record isn’t possible for this name, add an A record with the address of the server instead.',
  state: 'State of the domain',
  badges: {
    unproven: 'Waiting for the TXT record',
    proven: 'Proven, not answering yet',
    ready: 'Ready',
    attention: 'Needs attention',
  },
  states: {
    unproven: 'New records can take an hour to be seen everywhere.',
    proven: 'The domain is yours. It’s used once it leads to this server with a valid certificate.',
    ready: 'Links, pages and emails for your partners use it. Its TXT record must stay.',
    attention: 'New links use this server’s address until the domain works again. It’s checked every day.',
  },
  checked: ({ ago }: { ago: Word }) => `Checked ${ago}`,
  checkNow: 'Check now',
  works: 'The domain works',
}

export const pictureWords = {
  choose: 'Choose picture',
  another: 'Choose another',
  remove: 'Remove',
  tooLarge: ({ size }: { size: Word }) => `Use a PNG, JPEG, WebP or GIF up to ${size}`,
  current: 'Current picture',
}
