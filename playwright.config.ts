import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: ['test/journeys/**/*.spec.ts', 'features/**/*.spec.ts'],
  outputDir: '.cache/journeys',
  globalSetup: './test/support/chromium.ts',
  // A journey waits for its browser or its server most of the time: one more than there are cores keeps two cores busy.
  workers: 3,
  // A machine that is busy for a moment, or a press that Firefox lost, is told from a fault by one more try; a test that
  // needed it is reported as flaky.
  retries: process.env.CI || process.env.JOURNEYS_IN ? 1 : 0,
  timeout: 180_000,
  globalTimeout: 40 * 60_000,
  // An application that doesn't start fails every journey, each after half a minute.
  maxFailures: 25,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    actionTimeout: 30_000,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Firefox needs no such permissions, and knows none of these names.
    permissions: ['clipboard-read', 'clipboard-write'],
    screenshot: 'only-on-failure',
    // No test waits for a movement to end, and the browser draws no frames of it.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
