process.env.RUNS ??= '12'
await import('./rewards.test.ts')
