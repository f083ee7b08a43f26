process.env.RUNS ??= '20'
await import('./visitors.test.ts')
