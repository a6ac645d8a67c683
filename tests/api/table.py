"""The table: what every route answers to every role. A dot where there is no such case."""

from __future__ import annotations

# method path                                          whose    visitor person manufacturer laboratory referee board administrator
TABLE = """
GET    /                                               -        200 200 200 200 200 200 200
POST   /                                               -        415 415 415 415 415 415 415
GET    /problems/{code}                                -        200 200 200 200 200 200 200
GET    /static/{name}                                  -        200 200 200 200 200 200 200
GET    /rules                                          -        200 200 200 200 200 200 200
GET    /rules/{body}/diff                              -        200 200 200 200 200 200 200
GET    /rules/{body}/{edition}                         -        200 200 200 200 200 200 200
GET    /rules/{body}/{edition}/{item}                  -        200 200 200 200 200 200 200
GET    /healthz                                        -        200 200 200 200 200 200 200
GET    /readyz                                         -        200 200 200 200 200 200 200
GET    /api/v1/docs                                    -        200 200 200 200 200 200 200
GET    /api/v1/openapi.json                            -        200 200 200 200 200 200 200
POST   /api/v1/check                                   -        200 200 200 200 200 200 200
GET    /api/v1/specs                                   -        200 200 200 200 200 200 200
GET    /api/v1/specs/{body}/{edition}                  -        200 200 200 200 200 200 200
GET    /api/v1/specs/{body}/{edition}/{item}           -        200 200 200 200 200 200 200
GET    /api/v1/templates/{item}.{ending}               -        200 200 200 200 200 200 200
GET    /api/v1/schemas/report                          -        200 200 200 200 200 200 200

GET    /api/v1/me                                      -        401 200 200 200 200 200 200
PUT    /api/v1/me                                      -        401 200 200 200 200 200 200
POST   /api/v1/me/password                             -        401 204 204 204 204 204 204

POST   /api/v1/sessions                                -        201 201 201 201 201 201 201
GET    /api/v1/sessions                                -        401 200 200 200 200 200 200
DELETE /api/v1/sessions/{session}                      own      .   204 204 204 204 204 204
DELETE /api/v1/sessions/{session}                      foreign  401 404 404 404 404 404 404

POST   /api/v1/sessions/passkey/options                -        200 200 200 200 200 200 200
POST   /api/v1/sessions/passkey                        -        201 201 201 201 201 201 201
GET    /api/v1/passkeys                                -        401 200 200 200 200 200 200
POST   /api/v1/passkeys/options                        -        401 200 200 200 200 200 200
POST   /api/v1/passkeys                                -        401 201 201 201 201 201 201
DELETE /api/v1/passkeys/{passkey}                      own      .   204 204 204 204 204 204
DELETE /api/v1/passkeys/{passkey}                      foreign  401 404 404 404 404 404 404
POST   /account/passkeys/{passkey}/end                 own      .   303 303 303 303 303 303
POST   /account/passkeys/{passkey}/end                 foreign  401 404 404 404 404 404 404

POST   /api/v1/tokens                                  -        401 201 201 201 201 201 201
GET    /api/v1/tokens                                  -        401 200 200 200 200 200 200
GET    /api/v1/tokens/{token}                          own      .   200 200 200 200 200 200
GET    /api/v1/tokens/{token}                          foreign  401 404 404 404 404 404 404
DELETE /api/v1/tokens/{token}                          own      .   204 204 204 204 204 204
DELETE /api/v1/tokens/{token}                          foreign  401 404 404 404 404 404 404

GET    /api/v1/organisations                           -        401 200 200 200 200 200 200
POST   /api/v1/organisations                           -        401 403 403 403 403 403 201
GET    /api/v1/organisations/{organisation}            own      .   .   200 200 .   .   .
GET    /api/v1/organisations/{organisation}            foreign  401 404 404 404 404 200 200
PUT    /api/v1/organisations/{organisation}            own      .   .   200 200 .   .   .
PUT    /api/v1/organisations/{organisation}            foreign  401 404 404 404 404 404 200
PUT    /api/v1/organisations/{organisation}/closed     own      .   .   403 403 .   .   .
PUT    /api/v1/organisations/{organisation}/closed     foreign  401 403 403 403 403 403 200
GET    /api/v1/organisations/{organisation}/profile    own      .   .   200 200 .   .   .
GET    /api/v1/organisations/{organisation}/profile    foreign  401 404 404 404 404 200 200
PUT    /api/v1/organisations/{organisation}/profile    own      .   .   200 200 .   .   .
PUT    /api/v1/organisations/{organisation}/profile    foreign  401 404 404 404 404 404 404
GET    /api/v1/organisations/{organisation}/members    own      .   .   200 200 .   .   .
GET    /api/v1/organisations/{organisation}/members    foreign  401 404 404 404 404 200 200
DELETE /api/v1/organisations/{organisation}/members/{member} own      .   .   204 204 .   .   .
DELETE /api/v1/organisations/{organisation}/members/{member} foreign  401 404 404 404 404 404 204
POST   /api/v1/organisations/{organisation}/invitations own     .   .   201 201 .   .   .
POST   /api/v1/organisations/{organisation}/invitations foreign 401 404 404 404 404 404 201

GET    /api/v1/accounts                                -        401 403 403 403 403 403 200
GET    /api/v1/accounts/{account}                      own      .   200 200 200 200 200 200
GET    /api/v1/accounts/{account}                      foreign  401 404 404 404 404 404 200
PUT    /api/v1/accounts/{account}/closed               own      .   403 403 403 403 403 409
PUT    /api/v1/accounts/{account}/closed               foreign  401 403 403 403 403 403 200
POST   /api/v1/accounts/{account}/password-links       own      .   403 403 403 403 403 201
POST   /api/v1/accounts/{account}/password-links       foreign  401 403 403 403 403 403 201
GET    /api/v1/accounts/{account}/roles                own      .   200 200 200 200 200 200
GET    /api/v1/accounts/{account}/roles                foreign  401 404 404 404 404 404 200
POST   /api/v1/accounts/{account}/roles                own      .   403 403 403 403 403 409
POST   /api/v1/accounts/{account}/roles                foreign  401 403 403 403 403 403 201
DELETE /api/v1/accounts/{account}/roles/{grant}        own      .   403 403 403 403 403 204
DELETE /api/v1/accounts/{account}/roles/{grant}        foreign  401 403 403 403 403 403 204
POST   /api/v1/invitations                             -        401 403 403 403 403 403 201
GET    /api/v1/audit                                   -        401 403 403 403 403 403 200

# The register, for everybody
GET    /api/v1/types                                   -        200 200 200 200 200 200 200
GET    /api/v1/types/{number}                          own      .   .   .   .   .   .   .
GET    /api/v1/types/{number}                          foreign  200 200 200 200 200 200 200
GET    /api/v1/types/{number}/files/{sha256}           own      .   .   .   .   .   .   .
GET    /api/v1/types/{number}/files/{sha256}           foreign  200 200 200 200 200 200 200
GET    /api/v1/types/{number}/code.svg                 own      .   .   .   .   .   .   .
GET    /api/v1/types/{number}/code.svg                 foreign  200 200 200 200 200 200 200
POST   /api/v1/types/{number}/steps                    own      .   .   .   .   .   .   .
POST   /api/v1/types/{number}/steps                    foreign  401 403 403 403 403 200 403
GET    /api/v1/changes                                 -        200 200 200 200 200 200 200
GET    /api/v1/feed.json                               -        200 200 200 200 200 200 200
GET    /api/v1/register.{ending}                       -        200 200 200 200 200 200 200
GET    /api/v1/me/types                                -        401 200 200 200 200 200 200
GET    /api/v1/reports/{sha256}                        own      .   .   .   .   .   .   .
GET    /api/v1/reports/{sha256}                        foreign  200 200 200 200 200 200 200
GET    /api/v1/reports/{sha256}/{form}                 own      .   .   .   .   .   .   .
GET    /api/v1/reports/{sha256}/{form}                 foreign  200 200 200 200 200 200 200
GET    /api/v1/keys                                    -        200 200 200 200 200 200 200
GET    /api/v1/log                                     -        200 200 200 200 200 200 200
GET    /api/v1/log/entries                             -        200 200 200 200 200 200 200
GET    /api/v1/log/consistency                         -        200 200 200 200 200 200 200
GET    /api/v1/log/{sha256}                            own      .   .   .   .   .   .   .
GET    /api/v1/log/{sha256}                            foreign  200 200 200 200 200 200 200

# Applications: the applicant's, the board's, and of laboratories that have nothing to do with the applicant
POST   /api/v1/applications                            -        401 403 201 403 403 403 403
GET    /api/v1/applications                            -        401 200 200 200 200 200 200
GET    /api/v1/applications/{application}              own      .   .   200 .   .   .   .
GET    /api/v1/applications/{application}              foreign  401 404 404 200 404 200 404
POST   /api/v1/applications/{application}/steps        own      .   .   200 .   .   .   .
POST   /api/v1/applications/{application}/steps        foreign  401 403 404 409 403 409 403
POST   /api/v1/applications/{application}/assessment   own      .   .   403 .   .   .   .
POST   /api/v1/applications/{application}/assessment   foreign  401 403 403 200 403 200 403
POST   /api/v1/applications/{application}/certificate  own      .   .   403 .   .   .   .
POST   /api/v1/applications/{application}/certificate  foreign  401 403 403 403 403 201 403
POST   /api/v1/applications/{application}/files        own      .   .   422 .   .   .   .
POST   /api/v1/applications/{application}/files        foreign  401 403 422 422 403 422 403
GET    /api/v1/applications/{application}/files/{sha256} own     .   .   200 .   .   .   .
GET    /api/v1/applications/{application}/files/{sha256} foreign 401 404 404 200 404 200 404

# Long work: one's own; the board and administrators look at all of it
POST   /api/v1/jobs                                    -        401 404 409 202 404 202 404
GET    /api/v1/jobs                                    -        401 200 200 200 200 200 200
GET    /api/v1/jobs/{job}                              own      .   200 200 200 200 200 200
GET    /api/v1/jobs/{job}                              foreign  401 404 404 404 404 200 200
GET    /api/v1/jobs/{job}/events                       own      .   200 200 200 200 200 200
GET    /api/v1/jobs/{job}/events                       foreign  401 404 404 404 404 200 200
POST   /api/v1/jobs/{job}/cancellation                 own      .   200 200 200 200 200 200
POST   /api/v1/jobs/{job}/cancellation                 foreign  401 404 404 404 404 200 200

# The rules: what is in force is for everybody; drafts are the board's, and nobody decides on what he has entered himself
GET    /api/v1/editions                                -        200 200 200 200 200 200 200
GET    /api/v1/interpretations                         -        200 200 200 200 200 200 200
GET    /api/v1/drafts                                  -        401 403 403 403 403 200 200
POST   /api/v1/drafts/editions                         -        401 403 403 403 403 201 403
POST   /api/v1/drafts/adoptions                        -        401 403 403 403 403 201 403
GET    /api/v1/drafts/{draft}                          own      .   .   .   .   .   200 .
GET    /api/v1/drafts/{draft}                          foreign  401 403 403 403 403 200 200
POST   /api/v1/drafts/{draft}/decision                 own      .   .   .   .   .   409 .
POST   /api/v1/drafts/{draft}/decision                 foreign  401 403 403 403 403 200 403
POST   /api/v1/drafts/{draft}/impacts                  own      .   .   .   .   .   202 .
POST   /api/v1/drafts/{draft}/impacts                  foreign  401 403 403 403 403 202 403
GET    /api/v1/impacts/{job}                           own      .   .   .   .   .   200 .
GET    /api/v1/impacts/{job}                           foreign  401 403 403 403 403 200 200

# Pages: a visitor who may not look is led to the page for signing in.
GET    /sign-in                                        -        200 200 200 200 200 200 200
POST   /sign-in                                        -        303 303 303 303 303 303 303
GET    /sign-in/oidc                                   -        404 404 404 404 404 404 404
GET    /sign-in/oidc/back                              -        404 404 404 404 404 404 404
POST   /sign-out                                       -        401 303 303 303 303 303 303
POST   /language                                       -        303 303 303 303 303 303 303
GET    /account                                        -        303 200 200 200 200 200 200
POST   /account                                        -        401 303 303 303 303 303 303
POST   /account/password                               -        401 303 303 303 303 303 303
POST   /account/sessions/{session}/end                 own      .   303 303 303 303 303 303
POST   /account/sessions/{session}/end                 foreign  401 404 404 404 404 404 404
POST   /account/tokens                                 -        401 200 200 200 200 200 200
POST   /account/tokens/{token}/end                     own      .   303 303 303 303 303 303
POST   /account/tokens/{token}/end                     foreign  401 404 404 404 404 404 404
GET    /organisations/{organisation}                   own      .   .   200 200 .   .   .
GET    /organisations/{organisation}                   foreign  303 404 404 404 404 200 200
POST   /organisations/{organisation}                   own      .   .   303 303 .   .   .
POST   /organisations/{organisation}                   foreign  401 404 404 404 404 404 303
POST   /organisations/{organisation}/profile           own      .   .   303 303 .   .   .
POST   /organisations/{organisation}/profile           foreign  401 404 404 404 404 404 404
POST   /organisations/{organisation}/closed            own      .   .   403 403 .   .   .
POST   /organisations/{organisation}/closed            foreign  401 403 403 403 403 403 303
POST   /organisations/{organisation}/invitations       own      .   .   200 200 .   .   .
POST   /organisations/{organisation}/invitations       foreign  401 404 404 404 404 404 200
POST   /organisations/{organisation}/members/{member}/end own     .   .   303 303 .   .   .
POST   /organisations/{organisation}/members/{member}/end foreign 401 404 404 404 404 404 303

# A link is for whoever holds it; it joins nobody else's account.
GET    /join/{invitation}                              own      .   200 200 200 200 200 200
GET    /join/{invitation}                              foreign  200 200 200 200 200 200 200
POST   /join/{invitation}                              own      .   303 303 303 303 303 303
POST   /join/{invitation}                              foreign  409 404 404 404 404 404 404
GET    /new-password/{reset}                           own      .   200 200 200 200 200 200
GET    /new-password/{reset}                           foreign  200 200 200 200 200 200 200
POST   /new-password/{reset}                           own      .   303 303 303 303 303 303
POST   /new-password/{reset}                           foreign  303 303 303 303 303 303 303

GET    /accounts                                       -        303 403 403 403 403 403 200
POST   /accounts                                       -        401 403 403 403 403 403 200
POST   /organisations                                  -        401 403 403 403 403 403 303
GET    /accounts/{account}                             own      .   403 403 403 403 403 200
GET    /accounts/{account}                             foreign  303 403 403 403 403 403 200
POST   /accounts/{account}/closed                      own      .   403 403 403 403 403 409
POST   /accounts/{account}/closed                      foreign  401 403 403 403 403 403 303
POST   /accounts/{account}/password-links              own      .   403 403 403 403 403 200
POST   /accounts/{account}/password-links              foreign  401 403 403 403 403 403 200
POST   /accounts/{account}/roles                       own      .   403 403 403 403 403 409
POST   /accounts/{account}/roles                       foreign  401 403 403 403 403 403 303
POST   /accounts/{account}/roles/{grant}/end           own      .   403 403 403 403 403 303
POST   /accounts/{account}/roles/{grant}/end           foreign  401 403 403 403 403 403 303
GET    /interpretations                                -        200 200 200 200 200 200 200
POST   /interpretations                                -        401 403 403 403 403 303 403
GET    /drafts                                         -        303 403 403 403 403 200 200
POST   /drafts/editions                                -        401 403 403 403 403 415 403
GET    /drafts/{draft}                                 own      .   .   .   .   .   200 .
GET    /drafts/{draft}                                 foreign  303 403 403 403 403 200 200
POST   /drafts/{draft}/decision                        own      .   .   .   .   .   409 .
POST   /drafts/{draft}/decision                        foreign  401 403 403 403 403 303 403
POST   /drafts/{draft}/impacts                         own      .   .   .   .   .   303 .
POST   /drafts/{draft}/impacts                         foreign  401 403 403 403 403 303 403
GET    /impacts/{job}                                  own      .   .   .   .   .   200 .
GET    /impacts/{job}                                  foreign  303 403 403 403 403 200 200
POST   /impacts/{job}/cancel                           own      .   303 303 303 303 303 303
POST   /impacts/{job}/cancel                           foreign  401 404 404 404 404 303 303
GET    /audit                                          -        303 403 403 403 403 403 200

POST   /api/v1/uploads                                 -        401 201 201 201 201 201 201
GET    /api/v1/uploads/{upload}                        own      .   200 200 200 200 200 200
GET    /api/v1/uploads/{upload}                        foreign  401 404 404 404 404 404 404
PATCH  /api/v1/uploads/{upload}                        own      .   422 422 422 422 422 422
PATCH  /api/v1/uploads/{upload}                        foreign  401 422 422 422 422 422 422
POST   /api/v1/applications/{application}/uploads      own      .   .   201 .   .   .   .
POST   /api/v1/applications/{application}/uploads      foreign  401 403 404 201 403 201 403

# The register's pages
GET    /types                                          -        200 200 200 200 200 200 200
GET    /types/{number}                                 own      .   .   .   .   .   .   .
GET    /types/{number}                                 foreign  200 200 200 200 200 200 200
POST   /types/{number}/steps                           own      .   .   .   .   .   .   .
POST   /types/{number}/steps                           foreign  401 403 403 403 403 303 403
GET    /verify/{sha256}                                own      .   .   .   .   .   .   .
GET    /verify/{sha256}                                foreign  200 200 200 200 200 200 200
GET    /applications                                   -        303 200 200 200 200 200 200
POST   /applications                                   -        401 403 303 403 403 403 403
GET    /applications/{application}                     own      .   .   200 .   .   .   .
GET    /applications/{application}                     foreign  303 404 404 200 404 200 404
POST   /applications/{application}/steps               own      .   .   303 .   .   .   .
POST   /applications/{application}/steps               foreign  401 403 404 409 403 409 403
POST   /applications/{application}/assessment          own      .   .   403 .   .   .   .
POST   /applications/{application}/assessment          foreign  401 403 403 303 403 303 403
POST   /applications/{application}/certificate         own      .   .   403 .   .   .   .
POST   /applications/{application}/certificate         foreign  401 403 403 403 403 303 403
POST   /applications/{application}/files               own      .   .   415 .   .   .   .
POST   /applications/{application}/files               foreign  401 403 404 415 403 415 403
"""
