import type { ExamplesOf } from '#contract/examples/example.ts'
import type * as room from './contract.ts'

const config: room.EmbedConfig = {
  firstName: { key: 'firstName', selectorType: 'name', selectorValue: 'first-name' },
  lastName: { key: 'lastName', selectorType: 'name', selectorValue: 'last-name' },
  email: { key: 'email', selectorType: 'id', selectorValue: '#email' },
  phone: { key: 'phone', selectorType: 'default', selectorValue: '' },
  fieldsContainer: { key: 'fieldsContainer', selectorType: 'class', selectorValue: '.signup-form' },
  submitButton: { key: 'submitButton', selectorType: 'query-selector', selectorValue: 'button[type=submit]' },
}

const embedCode: room.EmbedCode = {
  id: '01983b8a-06b3-7e55-9c41-d27a0f8e6b22',
  createdAt: '2026-07-14T10:20:55.447Z',
  updatedAt: '2026-07-14T10:20:55.447Z',
  config,
  domains: ['acme.example'],
  checkoutDomains: ['pay.acme.example'],
  onlyIfReferred: false,
  consentMode: 'off',
  forms: 'sign-ups',
  formsChosen: true,
  path: 'acme',
  snippet:
    '<script>window.tributary=window.tributary||function(){(tributary.q=tributary.q||[]).push(arguments)}</script>\n<script async src="https://partners.acme.example/s/acme.js"></script>',
  lastLeadAt: '2026-07-27T16:05:01.712Z',
  refusedLeads: 0,
  lastRefusedOrigin: null,
}

export const checkId = '01983b8c-f2d8-7a04-8ee9-16bc3d5fa923'

export const calls: ExamplesOf<typeof room> = {
  getEmbedCode: { reply: embedCode },
  saveEmbedCode: {
    refused: ['config_missing', 'embed_path_taken', 'too_many_embed_paths'],
    body: {
      config,
      domains: ['acme.example'],
      checkoutDomains: ['pay.acme.example'],
      onlyIfReferred: false,
      consentMode: 'off',
      forms: 'sign-ups',
      path: 'acme',
    },
    reply: embedCode,
  },
  startEmbedCheck: {
    refused: ['page_on_other_domain'],
    body: { url: 'https://www.acme.example/signup' },
    reply: {
      id: checkId,
      url: 'https://www.acme.example/signup#tributary-check=Kd1Qz6Rw4Nbp3Vx8',
      expiresAt: '2026-07-14T10:40:02.118Z',
    },
  },
  getEmbedCheck: {
    params: { checkId },
    reply: {
      matched: {
        firstName: true,
        lastName: true,
        email: true,
        phone: false,
        fieldsContainer: true,
        submitButton: true,
      },
      forms: [
        { name: 'Sign up', verdict: 'sign-up', why: 'word' },
        { name: 'Log in', verdict: 'other', why: 'current-password' },
      ],
      picked: {
        email: { selectorType: 'id', selectorValue: '#email' },
        submitButton: { selectorType: 'class', selectorValue: '.signup-send' },
      },
    },
  },
}
