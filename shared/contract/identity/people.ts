/** Groups about people: how they sign in, who they are, and what they did. */
import { auditLog } from './audit-log.ts';
import { auth } from './auth.ts';
import { deviceSignIn } from './device-sign-in.ts';
import { members } from './members.ts';
import { openIdSignIn } from './openid-sign-in.ts';
import { passwordResets } from './password-resets.ts';

export const people = { auth, deviceSignIn, openIdSignIn, passwordResets, members, auditLog } as const;
