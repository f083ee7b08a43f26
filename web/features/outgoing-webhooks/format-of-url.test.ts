import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOfUrl } from './format-of-url.ts'

test('the address of a chat program says the format of its messages; any other says nothing', () => {
  const formats: Record<string, string | undefined> = {
    ' https://hooks.slack.com/services/T000/B000/XXXX\n': 'slack',
    // a workflow takes variables of its own
    'https://hooks.slack.com/triggers/T000/1/abc': undefined,
    'https://discord.com/api/webhooks/12345/to-k_en?thread_id=7': 'discord',
    'https://canary.discordapp.com/api/v10/webhooks/12345/token/': 'discord',
    'https://discord.com/api/webhooks/12345/token/slack': 'slack',
    'https://discord.com/api/webhooks/12345/token/github': undefined,
    'https://prod-12.westeurope.logic.azure.com:443/workflows/abc/triggers/manual/paths/invoke?sig=x': 'teams',
    'https://default1.7.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/a/triggers/manual/paths/invoke':
      'teams',
    'https://acme.webhook.office.com/webhookb2/a/IncomingWebhook/b/c': 'teams',
    'https://hooks.zapier.com/hooks/catch/1/2/': undefined,
    'https://hooks.slack.com.evil.example/services/T000': undefined,
    'https://crm.example/hooks.slack.com/services/T000': undefined,
    'hooks.slack.com': undefined,
    '': undefined,
  }
  for (const [url, format] of Object.entries(formats)) assert.equal(formatOfUrl(url), format, url)
})
