process.env.RUNS ??= '12'
await import('./reports.test.ts')
