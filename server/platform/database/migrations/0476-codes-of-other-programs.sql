-- Codes of another program may have any characters; a partner's own code keeps the rule of `partners.referral_code`.
alter table referral_codes drop constraint referral_codes_code_check,
  add constraint referral_codes_code_check check (length(code) between 1 and 100) not valid;
