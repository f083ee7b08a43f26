process.env.RUNS ??= '150'
await import('./goal-lives.test.ts')
