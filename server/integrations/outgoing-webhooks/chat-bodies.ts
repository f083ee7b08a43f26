import type { OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import type { Message } from './message.ts'

/** Escapes the characters that Slack reads as control characters: mentions, channels and links begin with `<`. */
const inSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Slack's incoming webhooks: `text` is for notifications, the block is shown; `verbatim` makes no address a link. */
function slack({ title, facts, link }: Message) {
  const text = [
    `*${inSlack(title)}*`,
    inSlack(facts.join(' · ')),
    `<${inSlack(link.url)}|${inSlack(link.label)}>`,
  ].filter(Boolean)
  return {
    text: inSlack([title, ...facts].join(' · ')),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: text.join('\n'), verbatim: true } }],
  }
}

/**
 * An adaptive card, as Teams' Workflows take it. Facts contain names, so they are in a `TextRun`: a `TextBlock` would read
 * Markdown in them.
 */
const teams = ({ title, facts, link }: Message) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.2',
        body: [
          { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
          ...facts.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
        ],
        actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
      },
    },
  ],
})

/** Escapes Discord's Markdown, and the characters that make an address, a mention, an emoji or a heading. */
const inDiscord = (text: string) => text.replace(/[\\*_~`|>#\-+[\]()<:@/.]/g, '\\$&')

/** The message as Discord takes it, without mentions; the angle brackets suppress the preview of its link. */
const discord = ({ title, facts, link }: Message) => ({
  content: [`**${title}**`, inDiscord(facts.join(' · ')), `[${link.label}](<${link.url}>)`].filter(Boolean).join('\n'),
  allowed_mentions: { parse: [] },
})

/** The bodies of services whose readers are people. */
export const chatBodies: Record<Exclude<OutgoingWebhook['format'], 'json'>, (message: Message) => object> = {
  slack,
  teams,
  discord,
}
