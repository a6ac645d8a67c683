"""The table: what every route answers to every role. A dot where there is no such case."""

from __future__ import annotations

# method path                                          whose    visitor person manufacturer laboratory referee board administrator
TABLE = """
GET    /                                               -        200 200 200 200 200 200 200
POST   /                                               -        415 415 415 415 415 415 415
GET    /problems/{code}                                -        200 200 200 200 200 200 200
GET    /static/{name}                                  -        200 200 200 200 200 200 200
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

POST   /api/v1/tokens                                  -        401 201 201 201 201 201 201
GET    /api/v1/tokens                                  -        401 200 200 200 200 200 200
GET    /api/v1/tokens/{token}                          own      .   200 200 200 200 200 200
GET    /api/v1/tokens/{token}                          foreign  401 404 404 404 404 404 404
DELETE /api/v1/tokens/{token}                          own      .   204 204 204 204 204 204
DELETE /api/v1/tokens/{token}                          foreign  401 404 404 404 404 404 404

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

# Pages: a visitor who may not look is led to the page for signing in.
GET    /sign-in                                        -        200 200 200 200 200 200 200
POST   /sign-in                                        -        303 303 303 303 303 303 303
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
"""
