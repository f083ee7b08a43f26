process.env.RUNS ??= '50'
await import('./concurrent-reports.test.ts')
