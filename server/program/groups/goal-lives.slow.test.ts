process.env.RUNS ??= '40'
await import('./goal-lives.test.ts')
